import { toError } from '#kit/domain/to-error.ts'
import { useMemo } from 'react'
import { compare } from '#kit/domain/decimal.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { monthOf } from '#kit/domain/month.ts'
import { usageUnits } from '../contract/choices.ts'
import { replaceMeter } from '../contract/meter-calls.ts'
import type { Meter } from '../contract/meter.ts'
import { getEntryContext } from '../contract/month-grid.ts'
import { computeUsage } from '../domain/usage.ts'
import './meters.css'

const formGroups = [
  {
    title: '旧表',
    keys: ['oldEndNum', 'replaceDate', { key: 'isRollover', help: '旧表止数超过量程归零时勾选' }],
  },
  {
    title: '新表',
    keys: ['newMeterNo', 'newInitNum', 'newMultiple', 'newDigits', 'reason'],
  },
]

/** 换表 (MTR-11): shows what the old meter still counted before anything is saved. */
export function ReplaceDialog({ of: meter, onClose }: { readonly of: Meter; readonly onClose: () => void }) {
  const replace = useSend(replaceMeter, { quiet: true })
  const context = useCall(
    getEntryContext,
    { meterId: meter.id, month: monthOf(today()) },
    { quiet: true },
  ).data
  const newest = context?.history?.[0]?.meterNo === meter.meterNo ? context.history[0]?.curNum : meter.initNum
  const initial = useMemo(
    () => ({
      meterId: meter.id,
      replaceDate: today(),
      newMultiple: meter.multiple,
      newInitNum: '0',
      isRollover: false,
      ...(meter.digits ? { newDigits: meter.digits } : {}),
    }),
    [meter],
  )
  const describeOldUsage = (end: string | undefined, rollover: boolean | undefined): string => {
    if (newest === undefined) return '旧表没有上期读数，旧表的这一段不计用量。'
    if (end === undefined || !/^\d+(\.\d+)?$/.test(end)) return `旧表最近一次读数 ${newest}。`
    if (compare(end, newest) < 0 && !rollover)
      return `旧表止数小于最近一次读数 ${newest}，请核对；超过量程归零的，请打开「旧表翻表」。`
    try {
      const usage = computeUsage({
        last: newest,
        current: end,
        multiplier: meter.multiple,
        rollover: Boolean(rollover) && compare(end, newest) < 0,
        modulus: meter.digits ? `1${'0'.repeat(meter.digits)}` : undefined,
      })
      const unit = usageUnits[meter.meterKind]
      return `旧表 ${newest} → ${end}，倍率 ${meter.multiple}，用量 ${usage} ${unit}，并入新表的第一次读数。`
    } catch (e) {
      return `${toError(e).message}。`
    }
  }
  return (
    <EditDialog
      shape={replaceMeter.input}
      draftKey={draftKeyOf(replaceMeter, meter.id)}
      title={`更换仪表「${meter.meterNo}」`}
      groups={formGroups}
      initial={initial}
      submitLabel="确认换表"
      presentation="drawer"
      save={v => replace.mutateAsync({ ...v, meterId: meter.id })}
      onClose={onClose}
      below={values => (
        <p className="meter-note">
          {describeOldUsage(values.oldEndNum, values.isRollover)}
          旧表改为「已更换」，它的读数和新表的一起留在房间的历史里。
        </p>
      )}
      onDone={a => {
        toast.success(`「${meter.meterNo}」已更换为「${a.newMeterNo}」`)
        onClose()
      }}
    />
  )
}
