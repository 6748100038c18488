// The styles of every page, in cascade order. Components that use Mantine import mantineStyles.
import '../styles/layers.css';
import '../styles/tokens.css';
import '../styles/fonts.css';
import '../styles/base.css';
