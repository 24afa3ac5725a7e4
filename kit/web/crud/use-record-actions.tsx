import { useState, type ReactNode } from 'react'
import type { Action } from '../action.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { CrudExtras, RecordAction } from './crud-spec.ts'
import type { Row } from './crud-model.tsx'

const RecordFormDialog = lazyComponent(() => import('./record-form.tsx').then(m => m.RecordFormDialog))

type OwnActions = Required<Pick<CrudExtras<Row, unknown>, 'actions' | 'batch'>> & {
  readonly dialogs: ReactNode
}

/** The declared actions of records, for one and for selected ones, and the dialog of the one that is open. */
export function useRecordActions(
  { actions = [], unit }: { readonly actions?: readonly RecordAction<Row>[]; readonly unit: string },
  nameOf: (row: Row) => string,
): OwnActions {
  const [opened, setOpened] = useState<{ readonly action: RecordAction<Row>; readonly of: readonly Row[] }>()
  const close = (): void => setOpened(undefined)
  const drawDialog = ({ action, of }: NonNullable<typeof opened>) => {
    if ('call' in action)
      return <RecordFormDialog action={action} of={of} unit={unit} nameOf={nameOf} onClose={close} />
    const Dialog = action.dialog
    return <Dialog of={of} onClose={close} />
  }
  const about = (action: RecordAction<Row>): Pick<Action, 'label' | 'needs'> => ({
    label: action.label,
    needs: action.needs ?? ('call' in action ? action.call.needs : undefined),
  })
  return {
    actions: row =>
      actions.map(
        action =>
          action.isOffered?.(row) !== false && {
            ...about(action),
            run: () => setOpened({ action, of: [row] }),
          },
      ),
    batch: actions.flatMap(action => {
      const { batch } = action
      return batch
        ? {
            ...about(action),
            ...(batch === true ? {} : { disabledReason: t => batch(t.rows) }),
            run: t => setOpened({ action, of: t.rows }),
          }
        : []
    }),
    dialogs: opened && drawDialog(opened),
  }
}
