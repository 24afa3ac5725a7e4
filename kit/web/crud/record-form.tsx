import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { actionDialog } from '../form/action-dialog.tsx'
import { formatCount } from '../numbers.tsx'
import type { RecordForm } from './crud-spec.ts'
import type { Row } from './crud-model.tsx'

interface RecordFormDialogProps {
  readonly action: RecordForm<Row>
  readonly of: readonly Row[]
  readonly unit: string
  readonly nameOf: (row: Row) => string
  readonly onClose: () => void
}

const describe = (of: readonly Row[], { unit, nameOf }: Pick<RecordFormDialogProps, 'unit' | 'nameOf'>) =>
  of.length === 1 ? `「${nameOf(defined(of[0]))}」` : ` ${formatCount(of.length)} ${unit}`

/** The dialog of a declared form: its call gets the records by `ids`, or the one by `id`. */
export function RecordFormDialog({ action, of, onClose, ...names }: RecordFormDialogProps) {
  const { label, call } = action
  const [Dialog] = useState(() =>
    actionDialog<readonly Row[], object, unknown>({
      call,
      keys: action.keys,
      title: rows => `${label}${describe(rows, names)}`,
      submitLabel: action.submitLabel ?? label,
      doneText: rows => `${action.doneText ?? `已${label}`}${describe(rows, names)}`,
      target: rows =>
        'ids' in call.input.fields ? { ids: rows.map(row => String(row.id)) } : { id: defined(rows[0]).id },
      initial: rows => action.initial?.(rows.length === 1 ? rows[0] : undefined),
      ...(action.below ? { below: (_, rows) => action.below?.(rows) } : {}),
    }),
  )
  return <Dialog record={of} onClose={onClose} />
}
