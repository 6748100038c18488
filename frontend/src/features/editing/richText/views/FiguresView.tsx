import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import classes from './views.module.css';

interface FigureRow {
  label: string;
  value: string;
  share: number;
}

/** A table of figures. Read-only: the editor has no tool for it, but keeps those that a text has. */
export function FiguresView({ node, selected }: ReactNodeViewProps) {
  const rows: readonly FigureRow[] = Array.isArray(node.attrs.figures) ? node.attrs.figures : [];
  return (
    <NodeViewWrapper className={classes.piece} data-selected={selected ? true : undefined}>
      <table className="budget" contentEditable={false}>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="amount">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </NodeViewWrapper>
  );
}
