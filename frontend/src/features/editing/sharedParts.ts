// What the editors of campaigns and experiments share, in one order: webpack joins the styles of these parts to one file, and
// refuses to when two pages want them in different orders. Each editor's page imports this first.
import '../../ui/modes/ModeBar';
import './history/HistoryDrawer';
import './presence/Writers';
import './LanguageSegments';
import './SaveState';
import './TwoVersions';
import './campaign/EditPart';
import './campaign/FieldErrorText';
import './campaign/SidePanel';
import '../../ui/images/ImageUpload';
import '../../ui/ConfirmDialog';
import '../../ui/TagField';
import '../../ui/TitleField';
