import type { ControlProps } from '../controls/control-kinds.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { RowSkeleton } from '../list/list-feedback.tsx'

/** A form's control for formatted text; the editor is fetched when a form first shows one. */
export const RichTextControl = lazyComponent<ControlProps>(
  () => import('./rich-text-editor.tsx').then(part => part.RichTextEditor),
  <RowSkeleton rows={6} />,
)
