import { Modal, Radio } from 'antd'
import { useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { collectStayFee, getStayFee } from '../contract/charge.ts'
import { boothPayMethod, type BoothPayMethod } from '../contract/choices.ts'
import type { ParkingStay } from '../contract/stay.ts'
import { CouponLines } from './coupon-lines.tsx'
import { coverTextsOf } from './public.coupon-line-text.ts'
import { FeeBlocks } from './fee-blocks.tsx'
import './parking-lanes.css'

const methods = keysOf(boothPayMethod).map(value => ({ value, label: labelOf(boothPayMethod, value) }))

interface CollectProps {
  readonly stay: Pick<ParkingStay, 'id' | 'plateNo'>
  readonly onClose: () => void
}

/** 收费: what is due at this moment, why, and how it is paid. */
export function CollectDialog({ stay, onClose }: CollectProps) {
  const fee = useCall(getStayFee, { id: stay.id }, { quiet: true, staleMs: 0 })
  const sending = useSend(collectStayFee)
  const [payMethod, setPayMethod] = useState<BoothPayMethod>('cash')
  const due = fee.data?.due ?? 0
  const isCovered = due === 0 && (fee.data?.coupons ?? []).some(coupon => coupon.discount > 0)
  const cover = coverTextsOf(fee.data?.coupons ?? [])
  const collect = async () => {
    await sending.mutateAsync({ id: stay.id, amount: due, payMethod })
    toast.success(
      due > 0 ? `已收取「${stay.plateNo}」停车费 ${displayYuan(due)} 元` : `「${stay.plateNo}」${cover.done}`,
    )
    onClose()
  }
  return (
    <Modal
      open
      title={`收费「${stay.plateNo}」`}
      width={640}
      okText={due > 0 ? `收取 ${displayYuan(due)} 元` : isCovered ? cover.action : '无需收费'}
      okButtonProps={{ disabled: due <= 0 && !isCovered, loading: sending.isPending }}
      onOk={() => void collect().catch(() => fee.refetch())}
      onCancel={onClose}
    >
      <Loaded query={fee} height={160} rows={4}>
        {answer => (
          <section className="fee-result">
            <p>{answer.sentence}</p>
            {answer.coupons.length > 0 && <CouponLines coupons={answer.coupons} />}
            {answer.blocks.length > 0 && <FeeBlocks blocks={answer.blocks} />}
          </section>
        )}
      </Loaded>
      <Radio.Group
        aria-label="支付方式"
        optionType="button"
        options={methods}
        value={payMethod}
        onChange={event => setPayMethod(event.target.value)}
      />
    </Modal>
  )
}
