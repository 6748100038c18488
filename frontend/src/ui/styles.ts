// The styles that every page has, in their order; what uses the UI kit brings the kit's.
import '../styles/layers.css';
import '../styles/tokens.css';
import '../styles/fonts.css';
import '../styles/base.css';
