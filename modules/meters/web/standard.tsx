import { useMemo } from 'react'
import { bulkWords } from '#kit/web/acts.ts'
import type { Control, ControlProps } from '#kit/web/controls/kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { ref } from '#kit/contract/field.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import { setStandard } from '../contract/device.ts'
import type { Meter } from '../contract/meter.ts'

const field = ref('收费标准', 'feeStandard', { required: true })

const Standard = (p: ControlProps) => (
  <RefSelect
    field={field}
    id={p.id}
    value={p.value}
    given={p.given}
    disabled={p.disabled}
    onChange={p.onChange}
    onBlur={p.onBlur}
    describedBy={p.describedBy}
    {...(p.invalid ? { status: 'error' as const } : {})}
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
  const go = useSend(setStandard, { quiet: true })
  const ids = useMemo(() => of.map(m => String(m.id)), [of])
  const project = of[0]?.projectCode
  const initial = useMemo(() => ({ ids, beginDate: `${today().slice(0, 8)}01` }), [ids])
  const groups = useMemo(
    () => [
      {
        keys: [
          {
            key: 'standardId',
            control: ((p: ControlProps) => (
              <Standard {...p} given={{ ...p.given, projectCode: project }} />
            )) as Control,
            wide: true,
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
      of={setStandard.input}
      title={of.length === 1 ? `设置「${of[0]!.meterNo}」的收费标准` : `设置 ${of.length} 只仪表的收费标准`}
      groups={groups}
      initial={initial as never}
      words="保存"
      as="dialog"
      save={v => go.mutateAsync({ ...v, ids } as never)}
      onClose={onClose}
      onDone={a => {
        const got = a as Parameters<typeof bulkWords>[0]
        ;(got.fail ? toast.warning : toast.success)(`收费标准：${bulkWords(got)}`)
        onClose()
      }}
    />
  )
}
