/*
 * The parts that the pledge page and the dialog share, so that their styles come in one order wherever they are imported. It
 * is the first import of both.
 */
import '../../ui/mantineStyles';
import '../../ui/ErrorState';
import '../../ui/Skeletons';
import '../../ui/Dialog';
import './AlreadyHere';
import './AddressSection';
import './bank/PayerSection';
import './ContactSection';
import './CheckoutParts';
import './KeptDetails';
import './AmountPicker';
import './ChargedBand';
import './Timeline';
