import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { bulkResultText } from '#kit/web/record-actions.ts'
import type { Control, ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { ref } from '#kit/contract/field.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { setMeterStandard } from '../contract/meter-calls.ts'
import type { Meter } from '../contract/meter.ts'

const standardField = ref('收费标准', 'feeStandard', { required: true })

const StandardControl = (props: ControlProps) => (
  <RefSelect
    field={standardField}
    id={props.id}
    value={props.value}
    formValues={props.formValues}
    disabled={props.disabled}
    onChange={props.onChange}
    onBlur={props.onBlur}
    describedBy={props.describedBy}
    {...(props.invalid ? { status: 'error' as const } : {})}
  />
)

/** 设置收费标准: a relation of each meter's room that names the meter, from a day on. */
export function StandardDialog({
  of,
  onClose,
}: {
  readonly of: readonly Meter[]
  readonly onClose: () => void
}) {
  const go = useSend(setMeterStandard, { quiet: true })
  const ids = useMemo(() => of.map(m => String(m.id)), [of])
  const project = of[0]?.projectCode
  const initial = useMemo(() => ({ ids, beginDate: firstOfMonth(today()) }), [ids])
  const groups = useMemo(
    () => [
      {
        keys: [
          {
            key: 'standardId',
            control: ((p: ControlProps) => (
              <StandardControl {...p} formValues={{ ...p.formValues, projectCode: project }} />
            )) as Control,
            help: '只能选抄表类收费项目的标准',
          },
          'beginDate',
        ],
      },
    ],
    [project],
  )
  return (
    <EditDialog
      shape={setMeterStandard.input}
      draftKey={draftKeyOf(setMeterStandard, ids)}
      title={
        of.length === 1 ? `设置「${defined(of[0]).meterNo}」的收费标准` : `设置 ${of.length} 块仪表的收费标准`
      }
      groups={groups}
      initial={initial}
      submitLabel="保存"
      presentation="dialog"
      save={v => go.mutateAsync({ ...v, ids })}
      onClose={onClose}
      onDone={result => {
        ;(result.fail ? toast.warning : toast.success)(`收费标准：${bulkResultText(result)}`)
        onClose()
      }}
    />
  )
}
