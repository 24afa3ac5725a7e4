import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { asMonth, monthOf, shiftMonth } from '#kit/domain/month.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { today } from '#kit/web/date-format.ts'
import { generateSummary } from '../contract/month.ts'

/** Carries a month over permanently. */
export function CarryOverDialog({
  project,
  onClose,
}: {
  readonly project: string
  readonly onClose: () => void
}) {
  const last = shiftMonth(monthOf(today()), -1)
  const [month, setMonth] = useState(last)
  const [isBusy, setBusy] = useState(false)
  const carryOver = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await sendAndInvalidate(generateSummary, { projectCode: project, month })
      toastResult(
        result,
        `${month} 已结转：期初欠费 ${displayYuan(result.opening)}，期末欠费 ${displayYuan(result.closing)}`,
      )
      onClose()
    } catch {
      /* shown as a toast */
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
      okButtonProps={{ loading: isBusy }}
      onCancel={onClose}
      onOk={() => void carryOver()}
    >
      <p>
        结转后当月的数不再变；之后对当月和以前各月的补出、减免、作废，记在下一个月的“往期调整”里。每月 1
        日会自动结转上一个月。
      </p>
      <DatePicker
        picker="month"
        aria-label="月份"
        allowClear={false}
        value={dayjs(month)}
        maxDate={dayjs(last)}
        onChange={value => setMonth(asMonth(dayjs(value).format('YYYY-MM')))}
      />
    </Modal>
  )
}
