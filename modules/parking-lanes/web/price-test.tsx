import { Modal } from 'antd'
import { useId, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { readableValues } from '#kit/web/controls/invalid-input.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { FormFields } from '#kit/web/form/form-fields.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { couponKind } from '../contract/choices.ts'
import { testParkFee } from '../contract/price-test.ts'
import { FeeBlocks } from './fee-blocks.tsx'
import './parking-lanes.css'

type TestInput = NonNullable<typeof testParkFee.input.T>

const keys = [
  'parkId',
  'carKind',
  'inTime',
  'outTime',
  'isFreeTicket',
  'ticketMinutes',
  'ticketAmount',
  'ticketPercent',
]

const groups = [{ keys }]

function Result({ asked }: { readonly asked: TestInput }) {
  const query = useCall(testParkFee, asked, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={query} height={120} rows={3}>
      {answer => (
        <section className="fee-result" aria-live="polite">
          <p>
            <b>{answer.ruleName}</b> {answer.sentence}
          </p>
          <FeeBlocks blocks={answer.blocks} />
          {answer.coupons.length > 0 && (
            <ul className="fee-coupons">
              {answer.coupons.map(coupon => (
                <li key={coupon.kind}>
                  {labelOf(couponKind, coupon.kind)}：
                  {coupon.reason ?? `抵扣 ${displayYuan(coupon.discount)} 元`}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </Loaded>
  )
}

const exampleStay = () => {
  const now = fromInstant(serverNow())
  return { carKind: 'temp' as const, inTime: addMinutes(now, -180), outTime: now }
}

/** What the form has asked for, once everything required is there. */
const isComplete = (values: unknown): values is TestInput =>
  typeof values === 'object' &&
  values !== null &&
  ['parkId', 'carKind', 'inTime', 'outTime'].every(key => key in values)

/** 费用试算: what a stay costs and why, by the rules that are in force (PRK-25). */
export function PriceTestDialog({ onClose }: { readonly onClose: () => void }) {
  const [initial] = useState(exampleStay)
  const [asked, setAsked] = useState<TestInput>()
  const name = `t${useId().replaceAll(/\W/g, '')}`
  const form = useForm({ shape: testParkFee.input, keys, initial })
  const ask = () => {
    const values = readableValues(form.readValues())
    if (form.validate() && isComplete(values)) {
      setAsked(values)
    }
  }
  return (
    <Modal open title="费用试算" width={760} okText="试算" cancelText="关闭" onOk={ask} onCancel={onClose}>
      <div ref={form.root}>
        <FormFields form={form} fields={testParkFee.input.fields} groups={groups} name={name} columns={2} />
      </div>
      {asked && <Result asked={asked} />}
    </Modal>
  )
}
