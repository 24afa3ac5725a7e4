import { useState, type ReactNode } from 'react'
import type { Action, Actions } from '../action.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { CrudExtras, ListAction, RecordAction } from './crud-spec.ts'
import type { Row } from './crud-model.tsx'

const RecordFormDialog = lazyComponent(() => import('./record-form.tsx').then(m => m.RecordFormDialog))

type OwnActions = Required<Pick<CrudExtras<Row, unknown>, 'actions' | 'batch'>> & {
  readonly toolbar: Actions
  readonly dialogs: ReactNode
}

interface DeclaredActions {
  readonly actions?: readonly RecordAction<Row>[]
  readonly toolbar?: readonly ListAction[]
  readonly unit: string
}

type DialogAction = Exclude<RecordAction<Row>, { readonly run: unknown } | { readonly runAll: unknown }>

/** What is open: a dialog over records, or one over the list. */
type Opened =
  | { readonly action: DialogAction; readonly of: readonly Row[] }
  | { readonly listDialog: Extract<ListAction, { readonly dialog: unknown }>['dialog'] }

const aboutOf = (action: RecordAction<Row>): Omit<Action, 'run' | 'disabledReason'> => ({
  label: action.label,
  needs: action.needs ?? ('call' in action ? action.call.needs : undefined),
  ...(action.danger ? { danger: true } : {}),
})

/** The declared actions of records, for one and for selected ones, those of the list, and the open dialog. */
export function useRecordActions(
  { actions = [], toolbar = [], unit }: DeclaredActions,
  nameOf: (row: Row) => string,
): OwnActions {
  const [opened, setOpened] = useState<Opened>()
  const close = (): void => setOpened(undefined)
  const drawDialog = (open: Opened) => {
    if ('listDialog' in open) return <open.listDialog onClose={close} />
    const { action, of } = open
    if ('call' in action)
      return <RecordFormDialog action={action} of={of} unit={unit} nameOf={nameOf} onClose={close} />
    return <action.dialog of={of} onClose={close} />
  }
  const runAll = (action: Exclude<RecordAction<Row>, { readonly run: unknown }>, of: readonly Row[]) =>
    'runAll' in action ? action.runAll(of) : setOpened({ action, of })
  return {
    actions: (row, place) =>
      actions.map(
        action =>
          action.isOffered?.(row) !== false &&
          action.places?.includes(place) !== false && {
            ...aboutOf(action),
            disabledReason: action.disabledReason?.(row),
            run: () => ('run' in action ? action.run(row) : runAll(action, [row])),
          },
      ),
    batch: actions.flatMap(action => {
      if ('run' in action || !action.batch) return []
      const { batch } = action
      return {
        ...aboutOf(action),
        ...(batch === true ? {} : { disabledReason: t => batch(t.rows) }),
        run: t => runAll(action, t.rows),
      }
    }),
    toolbar: toolbar.map(action => ({
      label: action.label,
      needs: action.needs,
      run: () => ('run' in action ? action.run() : setOpened({ listDialog: action.dialog })),
    })),
    dialogs: opened && drawDialog(opened),
  }
}
