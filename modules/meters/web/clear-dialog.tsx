import type { Month } from '#kit/domain/month.ts'
import { Select } from 'antd'
import { useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf, keysOf } from '#kit/contract/field.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { toast } from '#kit/web/toast.ts'
import { meterKind } from '../contract/choices.ts'
import { clearMonthReadings } from '../contract/reading.ts'
import { getMonthProgress, type MeterMonth } from '../contract/month-grid.ts'
import { useCall } from '#kit/web/query.ts'

const formGroups = [{ keys: ['reason'] }]

/** 清除月份读数 (MTR-10): shows how many readings the month has and how many are kept. */
export function ClearDialog({
  project,
  month,
  building,
  kind,
  onClose,
  onDone,
}: {
  readonly project: string
  readonly month: Month
  readonly building: string | undefined
  readonly kind: MeterMonth['meterKind'] | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [chosenKind, setChosenKind] = useState<MeterMonth['meterKind'] | undefined>(kind)
  const progress = useCall(
    getMonthProgress,
    {
      projectCode: project,
      month,
      ...(building ? { buildCode: building } : {}),
      ...(chosenKind ? { meterKind: chosenKind } : {}),
    },
    { quiet: true },
  ).data
  return (
    <EditDialog
      shape={clearMonthReadings.input}
      draftKey={draftKeyOf(clearMonthReadings, [project, month])}
      title={`清除 ${month} 的读数`}
      groups={formGroups}
      initial={{ projectCode: project, month }}
      submitLabel="清除"
      presentation="dialog"
      save={values =>
        sendAndInvalidate(
          clearMonthReadings,
          {
            ...values,
            projectCode: project,
            month,
            ...(building ? { buildCodes: [building] } : {}),
            ...(chosenKind ? { meterKind: [chosenKind] } : {}),
          },
          { quiet: true },
        )
      }
      onClose={onClose}
      onDone={result => {
        toast.success(`已清除 ${result.removed} 条${result.kept ? `，已出账保留 ${result.kept} 条` : ''}`)
        onDone()
      }}
      below={() => (
        <div className="meter-clear">
          <label>
            表类型{' '}
            <Select
              aria-label="表类型"
              allowClear={allowClear}
              placeholder="全部类型"
              style={{ width: 140 }}
              value={chosenKind ?? null}
              onChange={v => setChosenKind(v ?? undefined)}
              options={keysOf(meterKind).map(k => ({ value: k, label: labelOf(meterKind, k) }))}
            />
          </label>
          {progress && (
            <p>
              {building ? '所选楼栋' : '整个项目'}的 {month} 有 <b>{progress.read}</b> 块表已抄，其中{' '}
              <b>{progress.billed}</b> 只已出账会保留。清除后可以重新录入或导入。
            </p>
          )}
        </div>
      )}
    />
  )
}
