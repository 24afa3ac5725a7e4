import type { Id } from '#kit/domain/id.ts'
import { Input, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { toHalfWidth } from '#kit/domain/half-width.ts'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listRecords } from '../contract/record.ts'
import { refundRequestRefusal } from '../domain/refund.ts'
import { formatMethods } from './format-methods.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** 申请退款 where no payment is in view: first the payment, by its receipt, room or payer. */
export function RefundStarter({ onClose }: { readonly onClose: () => void }) {
  useFocusReturn()
  const project = useProject()
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  const [chosen, choose] = useState<Id>()
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(toHalfWidth(text).trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  const found = useCall(
    listRecords,
    {
      ...(project ? { projectCode: project } : {}),
      keyword,
      recordType: ['payment', 'deduction'],
      page: 1,
      size: 8,
    },
    { quiet: true, enabled: keyword !== '', keepPrevious: true },
  )
  if (chosen !== undefined) return <RefundDialog of={{ id: chosen }} onClose={onClose} />
  const rows = keyword ? (found.data?.rows ?? []) : []
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      width={560}
      title="申请退款：选择收款"
      footer={null}
      onCancel={onClose}
    >
      <Input
        size="large"
        aria-label="收据号、对象或缴费人"
        placeholder="收据号、对象或缴费人"
        value={text}
        onChange={e => setText(e.target.value)}
      />
      <div className="refund-found">
        {rows.map(record => {
          const refusal = refundRequestRefusal(record)
          return (
            <button
              type="button"
              key={record.id}
              disabled={refusal !== undefined}
              title={refusal}
              onClick={() => choose(record.id)}
            >
              <b className="figure">{record.receiptNo ?? record.recordNo}</b>
              <span>
                {record.sourceName} {record.payerName}
                <small>
                  {record.payTime.slice(0, 16)} {formatMethods(record)}
                </small>
              </span>
              <em className="figure">{displayYuan(record.receivedAmount)}</em>
            </button>
          )
        })}
        {keyword && !rows.length && (
          <p>{found.isFetching ? '正在查找…' : found.isError ? found.error.message : '未找到收款记录'}</p>
        )}
      </div>
    </Modal>
  )
}
