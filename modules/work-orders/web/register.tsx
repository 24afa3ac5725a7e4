import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { FooterActions, useAllowedActions } from '#kit/web/action.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useSend } from '#kit/web/query.ts'
import { orderState } from '../contract/choices.ts'
import { registerOrder } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { menu } from '../module.ts'
import { openOrder } from './order-address.ts'
import { orderVideosControl } from './order-videos.ts'
import { PhoneControl, spreadReporter } from './phone-control.tsx'

const { permissions } = menu.order
const Duplicates = lazyComponent(() => import('./register-aside.tsx').then(m => m.Duplicates))
const RegisterAside = lazyComponent(() => import('./register-aside.tsx').then(m => m.RegisterAside))
type Registration = NonNullable<typeof registerOrder.input.T>

const groups = defineFormGroups([
  {
    title: '报事人',
    keys: [
      {
        key: 'reporterPhone',
        control: PhoneControl,
        wide: false,
        help: '输入电话可查找住户',
        spreadValue: spreadReporter,
        otherKeys: ['reporterId'],
      },
      'reporterName',
      'source',
    ],
  },
  {
    title: '位置',
    keys: [
      { key: 'roomCode', wide: true },
      { key: 'areaId', isHidden: (v: Registration) => Boolean(v.roomCode) },
      { key: 'deviceId', isHidden: (v: Registration) => Boolean(v.roomCode) },
      { key: 'address', label: '具体位置', help: '房屋、公共区域、设备都不选时必填' },
    ],
  },
  {
    title: '事项',
    keys: [
      'typeId',
      'level',
      'title',
      'appointTime',
      { key: 'relatedOrderId', isHidden: ({ relatedOrderId }: Registration) => !relatedOrderId },
      'content',
      { key: 'photos', control: imagesControl },
      { key: 'videos', control: orderVideosControl },
      { key: 'observerIds', wide: true },
    ],
  },
])

const rules = ({ roomCode, areaId, deviceId, address }: Registration): Faults | undefined =>
  roomCode || areaId || deviceId || address?.trim()
    ? undefined
    : { roomCode: '请选择房屋、公共区域或设备，或填写位置' }

interface RegisteredProps {
  readonly order: WorkOrder
  readonly onAgain: () => void
}

/** What can be done next once an order is registered. */
function Registered({ order, onAgain }: RegisteredProps) {
  const allowed = useAllowedActions()
  const actions = allowed([
    order.state === 'waiting' && {
      label: '派单',
      needs: permissions.dispatch,
      run: () => openOrder(order.id),
    },
    order.state === 'pending' && {
      label: '审核',
      needs: permissions.audit,
      run: () => openOrder(order.id),
    },
    { label: '查看工单', run: () => openOrder(order.id) },
    { label: '继续登记', run: onAgain },
  ])
  return (
    <div className="registered">
      <h2>已登记工单 {order.orderNo}</h2>
      <p>
        {order.typeName} · {order.address ?? ''} · {labelOf(orderState, order.state)}
        {order.handlerName ? ` · ${order.handlerName}` : ''}
      </p>
      {order.finishDeadline && <p>完成时限 {relativeText(order.finishDeadline)}</p>}
      <div>
        <FooterActions actions={actions} />
      </div>
    </div>
  )
}

/** 工单登记: in person or by phone; the address may name the room, the phone and a related order. */
export default function RegisterPage() {
  const [address] = useSearchParams()
  const [saved, setSaved] = useState<WorkOrder>()
  const [round, setRound] = useState(0)
  const sending = useSend(registerOrder, { quiet: true })
  const [initial] = useState(() => {
    const roomCode = address.get('roomCode')
    const phone = address.get('phone')
    const relatedOrderId = parseId(address.get('relatedOrderId'))
    return {
      source: phone ? ('phone' as const) : ('reception' as const),
      level: 'normal' as const,
      ...(roomCode ? { roomCode } : {}),
      ...(phone ? { reporterPhone: phone } : {}),
      ...(relatedOrderId ? { relatedOrderId } : {}),
    }
  })
  if (saved)
    return (
      <Registered
        order={saved}
        onAgain={() => {
          setSaved(undefined)
          setRound(round + 1)
        }}
      />
    )
  return (
    <FormPage
      key={round}
      shape={registerOrder.input}
      title="登记工单"
      groups={groups}
      initial={initial}
      draftKey="work-orders/register"
      rules={rules}
      submitLabel="登记"
      save={values => sending.mutateAsync(values)}
      below={values => <Duplicates {...values} />}
      aside={values => <RegisterAside {...values} />}
      onDone={setSaved}
    />
  )
}
