// A Jest reporter: names each failed test once more as the run's last words, because Jest's own summary ends with the
// last test's document, which is longer than a screen.
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const root = path.resolve(__dirname, '..');
const shownLines = 6;
// What follows the message in what a test throws: the document, and where it was thrown.
const rest = /^\s*(at |Ignored nodes|Here are the accessible roles)/;

const messageOf = (text) => {
  const lines = stripVTControlCharacters(text).split('\n');
  const end = lines.findIndex((line) => rest.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line.trim())
    .slice(0, shownLines);
};

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const pattern = (name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

class Failures {
  onRunComplete(_contexts, { testResults }) {
    const failed = testResults.flatMap(({ testFilePath, testResults: tests, testExecError }) => {
      const file = path.relative(root, testFilePath);
      const alone = `npm --prefix frontend test -- ${file}`;
      if (testExecError)
        return [[`FAILED ${file}`, messageOf(testExecError.message ?? String(testExecError)), alone]];
      return tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => [
          `FAILED ${fullName} (${file})`,
          messageOf(failureMessages[0] ?? ''),
          `${alone} -t ${quoted(`^${pattern(fullName)}$`)}`,
        ]);
    });
    if (failed.length === 0) return;
    // With many failures only the names, so that all are within the last lines.
    const brief = failed.length > 3;
    const lines = failed.map(([name, message, alone]) =>
      [name, ...(brief ? message.slice(0, 1) : message).map((line) => `    ${line}`), `    ${alone}`].join(
        '\n',
      ),
    );
    // Jest's own summary is printed after all other reporters.
    process.once('exit', () => process.stderr.write(`\n${lines.join('\n')}\n`));
  }
}

module.exports = Failures;
