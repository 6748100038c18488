// The mock of Mantine's stylesheet of variables: 300 values that no test reads, but that it computes anew with every
// render of a page, and jsdom with every look at an element's style.
exports.MantineCssVariables = () => null;
