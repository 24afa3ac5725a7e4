import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { keysOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { approvalKind } from '../contract/choices.ts'
import {
  getInstance,
  instanceAction,
  listOwnInstances,
  ownView,
  type InstanceDetail,
} from '../contract/instance.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { paths } from '../module.ts'
import { InstanceContent } from './instance-content.tsx'
import { stateTextOf, stateToneOf } from './instance-status.tsx'
import { isPhoneAction, type PhoneAction } from './phone-actions.ts'
import { PhoneDecision } from './phone-decision.tsx'
import '#kit/web/phone/phone.css'
import './approvals.css'

const PhoneSignature = lazyComponent(() => import('./phone-signature.tsx').then(m => m.PhoneSignature))

type View = ChoiceOf<typeof ownView>

interface PhoneListProps {
  readonly onOpen: (id: number) => void
  readonly onSign: () => void
}

function PhoneList({ onOpen, onSign }: PhoneListProps) {
  const [view, setView] = useState<View>('waiting')
  const found = useCall(listOwnInstances, { view, size: 100 }, { quiet: true })
  const rows = found.data?.rows ?? []
  return (
    <>
      <header>
        <div>
          <h1>我的审批</h1>
          <small>{found.data ? `${found.data.total} 项` : ''}</small>
          <button type="button" className="approval-sign" onClick={onSign}>
            我的签名
          </button>
        </div>
        <div className="kinds">
          {keysOf(ownView).map(key => (
            <button key={key} type="button" aria-pressed={key === view} onClick={() => setView(key)}>
              {labelOf(ownView, key)}
            </button>
          ))}
        </div>
      </header>
      {found.isError && (
        <p className="empty" role="alert">
          无法读取审批，请检查网络后重试
        </p>
      )}
      {found.data && !rows.length && <p className="empty">暂无审批</p>}
      <ol>
        {rows.map(instance => (
          <li key={instance.id}>
            <button type="button" onClick={() => onOpen(instance.id)}>
              <b>{instance.title}</b>
              <span className={stateToneOf(instance)}>{stateTextOf(instance)}</span>
              <small>
                {labelOf(approvalKind, instance.bizType)} · {instance.applicantName}
              </small>
              <small>{instance.applyTime.slice(0, 16)}</small>
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}

function PhoneInstance({
  instance,
  onBack,
}: {
  readonly instance: InstanceDetail
  readonly onBack: () => void
}) {
  const [action, setAction] = useState<PhoneAction>()
  const navigate = useNavigate()
  const actions = keysOf(instanceAction).filter(
    (key): key is PhoneAction => isPhoneAction(key) && instance.actions.includes(key),
  )
  const { amendPhoneLink } = instance
  const begin = (key: PhoneAction): void => {
    if (key === 'resubmit' && amendPhoneLink) {
      void navigate(amendPhoneLink)
    } else {
      setAction(key)
    }
  }
  return (
    <>
      <header>
        <div>
          <h1>{instance.title}</h1>
          <small>{stateTextOf(instance)}</small>
        </div>
      </header>
      {action ? (
        <PhoneDecision
          instance={instance}
          action={action}
          onBack={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined)
            onBack()
          }}
        />
      ) : (
        <>
          <div className="approval-phone">
            <InstanceContent instance={instance} page={paths.phone} />
          </div>
          <div className="foot approval-foot">
            <button type="button" className="big" onClick={onBack}>
              返回
            </button>
            {actions.map(key => (
              <button
                key={key}
                type="button"
                className={key === 'approve' || key === 'resubmit' ? 'big primary' : 'big'}
                onClick={() => begin(key)}
              >
                {labelOf(instanceAction, key)}
              </button>
            ))}
          </div>
        </>
      )}
    </>
  )
}

function AddressedInstance({ onBack }: { readonly onBack: () => void }) {
  const { record, placeholder } = useAddressedRecord(getInstance, {
    tabTitle: instance => instance.title,
    staleMs: 0,
  })
  return record ? <PhoneInstance instance={record} onBack={onBack} /> : placeholder
}

/** 手机审批: what waits for me, and one request to decide with one hand. */
export default function ApprovalPhonePage() {
  const [address, setAddress] = useSearchParams()
  const [isSigning, setSigning] = useState(false)
  return (
    <SignedInOnly>
      <div className="phone">
        {address.has('id') && <AddressedInstance onBack={() => setAddress({})} />}
        {isSigning && <PhoneSignature onBack={() => setSigning(false)} />}
        {!address.has('id') && !isSigning && (
          <PhoneList onOpen={id => setAddress({ id: String(id) })} onSign={() => setSigning(true)} />
        )}
      </div>
    </SignedInOnly>
  )
}
