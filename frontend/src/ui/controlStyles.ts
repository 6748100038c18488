// The styles of dialogs and fields, in one order. Pages import these components in any order, and a stylesheet's place
// decides which rule wins: the build fails when two pages disagree.
import './mantineStyles';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import './Dialog.module.css';
import './fields.module.css';
import './SwitchField.module.css';
