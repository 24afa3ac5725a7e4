import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { shiftMonth, monthOf } from '#kit/domain/month.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { today, monthOfPicker } from '#kit/web/date-format.ts'
import { generateSummary } from '../contract/month.ts'

/** Carries a month over for good. */
export function CarryOverDialog({
  project,
  onClose,
}: {
  readonly project: string
  readonly onClose: () => void
}) {
  const last = shiftMonth(monthOf(today()), -1)
  const [month, setMonth] = useState(last)
  const [busy, setBusy] = useState(false)
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      const d = await sendAndInvalidate(generateSummary, { projectCode: project, month })
      toastResult(
        d,
        `${month} 已结转：期初欠费 ${displayYuan(d.opening)}，期末欠费 ${displayYuan(d.closing)}`,
      )
      onClose()
    } catch {
      /* told in a toast */
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title="结转费用月汇总"
      width={440}
      okText="结转"
      cancelText="取消"
      okButtonProps={{ loading: busy }}
      onCancel={onClose}
      onOk={() => void go()}
    >
      <p>
        结转后这个月的数不再变；之后对这个月和以前各月的补出、减免、作废，记在下一个月的“往期调整”里。每月 1
        日会自动结转上一个月。
      </p>
      <DatePicker
        picker="month"
        aria-label="月份"
        allowClear={false}
        value={dayjs(month)}
        maxDate={dayjs(last)}
        onChange={d => d && setMonth(monthOfPicker(d))}
      />
    </Modal>
  )
}
