import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { Modal } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import { validateReason } from '#kit/web/confirm.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useSend } from '#kit/web/query.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { toast } from '#kit/web/toast.ts'
import { type SharePool } from '../contract/share-pool.ts'
import { correctPool } from '../contract/pool.ts'
import './generate.css'

/**
 * Corrects the total of a pool of which bills are paid already: a second pool bills the difference (SHR-5).
 */
export function CorrectDialog({ pool, onClose }: { readonly pool: SharePool; readonly onClose: () => void }) {
  const sending = useSend(correctPool, { quiet: true })
  const [total, setTotal] = useState<unknown>(pool.totalAmount)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const run = async (): Promise<void> => {
    const fault = validateReason(reason)
    if (typeof total !== 'number' || fault) {
      setError(typeof total === 'number' ? fault : '请填写正确的总额')
      return
    }
    try {
      const result = await sending.mutateAsync({
        id: pool.id,
        right: asFen(total),
        remark: reason.trim(),
      })
      toast.success(`已新建更正公摊，差额 ${displayYuanWithSymbol(result.totalAmount ?? 0)}，分摊后生成账单`)
      onClose()
    } catch (e) {
      setError(toError(e).message)
    }
  }
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={`更正「${pool.name} ${pool.month}」`}
      okText="新建更正公摊"
      cancelText="取消"
      confirmLoading={sending.isPending}
      onOk={() => void run()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p>
        已出账 {displayYuanWithSymbol(pool.totalAmount ?? 0)}
        。填写当月正确的总额，系统按差额另建一个公摊，已缴的账单不变。
      </p>
      <label htmlFor="pool-right">
        <RequiredStar />
        正确的总额
      </label>
      <NumberInput
        field={defined(correctPool.input.fields.right)}
        id="pool-right"
        value={total}
        onChange={setTotal}
        onBlur={() => {}}
        disabled={false}
        status={undefined}
        describedBy={undefined}
      />
      <label htmlFor="pool-why">
        <RequiredStar />
        更正原因
      </label>
      <TextArea
        id="pool-why"
        value={reason}
        maxLength={200}
        autoSize={{ minRows: 2 }}
        onChange={e => {
          setReason(e.target.value)
          setError(undefined)
        }}
      />
      <p role="alert" style={{ color: 'var(--bad)', minHeight: 22 }}>
        {error}
      </p>
    </Modal>
  )
}
