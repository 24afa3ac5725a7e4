import { lazyComponent } from '../lazy-component.tsx'
import { ExportDialog } from '../transfer/export-dialog.tsx'
import type { ListProps } from './list-props.ts'
import type { useList } from './use-list.ts'

const ImportDialog = lazyComponent(() => import('../transfer/import-dialog.tsx').then(m => m.ImportDialog))

/** Import or export of a list, apart from it: fetched when somebody opens one of them. */
export function TransferDialog<I, T>({
  kind,
  props,
  list,
  ids,
  hiddenKeys,
  onClose,
}: {
  readonly kind: 'import' | 'export'
  readonly props: ListProps<I, T>
  readonly list: ReturnType<typeof useList<I, T>>
  readonly ids: readonly string[]
  /** Columns for which the window is too narrow: what is exported is what is seen. */
  readonly hiddenKeys: readonly string[]
  readonly onClose: () => void
}) {
  if (kind === 'import' && props.import)
    return (
      <ImportDialog
        spec={props.import}
        itemName={props.itemName}
        input={props.importInput ?? {}}
        nextStep={props.afterImport}
        onClose={onClose}
      />
    )
  if (kind === 'export' && props.export)
    return (
      <ExportDialog
        isImportable={props.import !== undefined}
        spec={props.export}
        itemName={props.itemName}
        columns={list.shownColumns.filter(column => !hiddenKeys.includes(column.key))}
        fields={props.list.output.fields}
        filter={list.request}
        total={list.knownTotal}
        ids={ids}
        onClose={onClose}
      />
    )
  return null
}
