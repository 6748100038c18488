// The library's styles that every page has, in their order; a component that needs more brings its own layer file.
import '../styles/layers.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '../styles/tokens.css';
import '../styles/fonts.css';
import '../styles/base.css';
