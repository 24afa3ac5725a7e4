import { useState, type ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { send } from '#kit/web/send.ts'
import { visitorKind } from '../contract/choices.ts'
import { inviteAsHost, type HostPage } from '../contract/host.ts'
import { canPayParking, draftFaults, hasFault, invitationOf, newDraft, type HostDraft } from './host-draft.ts'
import { KindChoice, Questions } from './host-fields.tsx'
import { VisitFields, VisitorsField } from './visit-fields.tsx'
import type { RunAction } from './host.tsx'

interface HostFormProps {
  readonly token: string
  readonly page: HostPage
  readonly head: ReactNode
  readonly fault: string | undefined
  readonly runAction: RunAction
  readonly onClose: () => void
}

const consentText = {
  exempt: '提交后即可来访',
  host: '提交后即可来访',
  property: '提交后由物业审核',
  both: '提交后由物业审核',
} as const

/** Whom to let in, when, and what the property asks. */
export function HostForm({ token, page, head, fault, runAction, onClose }: HostFormProps) {
  const [draft, setDraft] = useState<HostDraft>(() => newDraft(page.kinds))
  const [hasTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const kind = page.kinds.find(each => each.visitorKind === draft.visitorKind)
  const faults = draftFaults(draft, kind)
  const shown = hasTried ? faults : undefined
  const change = (values: Partial<HostDraft>): void => setDraft({ ...draft, ...values })
  const submit = async (): Promise<void> => {
    setTried(true)
    const asked = kind && !hasFault(faults) ? invitationOf(draft, kind) : undefined
    if (!kind || !asked) return
    setBusy(true)
    const isDone = await runAction(
      () => send(inviteAsHost, { token, ...asked }, { quiet: true, project: 0 }),
      kind.checkType === 'property' || kind.checkType === 'both' ? '已提交，等待物业审核' : '已邀请',
    )
    setBusy(false)
    if (isDone) {
      onClose()
    }
  }
  return (
    <PhoneForm className="phone visit" onSubmit={() => void submit()}>
      {head}
      <main>
        <KindChoice
          kinds={page.kinds.map(each => [each.visitorKind, labelOf(visitorKind, each.visitorKind)])}
          chosen={draft.visitorKind}
          fault={shown?.kind}
          onChoose={chosen => change({ visitorKind: chosen })}
        />
        <VisitorsField
          visitors={draft.visitors}
          allowsCar={kind?.allowsCar ?? false}
          faults={shown}
          onChange={visitors => change({ visitors })}
        />
        {page.hostParkingLimit !== undefined && canPayParking(draft, kind) && (
          <label className="check">
            <input
              type="checkbox"
              checked={draft.paysParking}
              onChange={event => change({ paysParking: event.target.checked })}
            />
            停车费由我承担，每位访客最多 {displayYuan(page.hostParkingLimit)} 元，记入房屋账单
          </label>
        )}
        <VisitFields draft={draft} kind={kind} faults={shown} onChange={change} />
        <Questions
          questions={kind?.questions ?? []}
          answers={draft.answers}
          faults={shown?.answers ?? {}}
          onAnswer={(label, answer) => change({ answers: { ...draft.answers, [label]: answer } })}
        />
        {kind && <small>{consentText[kind.checkType]}</small>}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onClose}>
          返回
        </button>
        <button type="submit" className="big primary" disabled={isBusy}>
          {isBusy ? '正在提交…' : '提交邀请'}
        </button>
        <FieldFault fault={fault} />
      </div>
    </PhoneForm>
  )
}
