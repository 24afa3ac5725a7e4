import { useState, type ReactNode } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { isDay } from '#kit/domain/day.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { PhoneField, type PhoneControl } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useFormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { useSend } from '#kit/web/query.ts'
import type { ChosenApprovers } from '#modules/approvals/web/public.ts'
import { applyType, leaveType, mendPoint } from '../contract/choices.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { resendOwnApplication, sendOwnApplication, type getOwnLimits } from '../contract/own-apply.ts'
import {
  amendmentOf,
  hasNoEnd,
  isLeave,
  isMend,
  isSwap,
  leaveKeys,
  missingOf,
  momentOfInput,
  type OwnDraft,
} from './own-draft.ts'
import { OwnPreview } from './own-preview.tsx'

type Limits = NonNullable<typeof getOwnLimits.output.T>
type Draft = Partial<OwnDraft>

interface FieldsProps {
  readonly draft: Draft
  readonly faults: ReturnType<typeof missingOf>
  readonly onChange: (changed: Draft) => void
}

const inputOf = (moment: string | undefined): string => moment?.slice(0, 16).replace(' ', 'T') ?? ''

interface KindFieldsProps extends FieldsProps {
  readonly limits: Limits
  /** The sort of what came back stays. */
  readonly isAmended: boolean
}

function KindFields({ draft, faults, onChange, limits, isAmended }: KindFieldsProps) {
  const types = limits.types.flatMap(({ applyType: type, isOffered }) =>
    isOffered || type === draft.applyType ? [type] : [],
  )
  return (
    <>
      <PhoneField label="类型" isRequired fault={faults.applyType}>
        {control => (
          <select
            {...control}
            value={draft.applyType ?? ''}
            disabled={isAmended}
            onChange={e => onChange({ applyType: types.find(type => type === e.target.value) })}
          >
            <option value="">请选择</option>
            {types.map(type => (
              <option key={type} value={type}>
                {labelOf(applyType, type)}
              </option>
            ))}
          </select>
        )}
      </PhoneField>
      {isLeave(draft) && (
        <PhoneField label="假别" isRequired fault={faults.leaveType}>
          {control => (
            <select
              {...control}
              value={draft.leaveType ?? ''}
              onChange={e => onChange({ leaveType: leaveKeys.find(key => key === e.target.value) })}
            >
              <option value="">请选择</option>
              {leaveKeys.map(key => (
                <option key={key} value={key}>
                  {labelOf(leaveType, key)}
                </option>
              ))}
            </select>
          )}
        </PhoneField>
      )}
      {isMend(draft) && (
        <PhoneField label="补卡点">
          {control => (
            <select
              {...control}
              value={draft.mendPoint ?? ''}
              onChange={e => onChange({ mendPoint: keysOf(mendPoint).find(key => key === e.target.value) })}
            >
              <option value="">不指定</option>
              {keysOf(mendPoint).map(key => (
                <option key={key} value={key}>
                  {labelOf(mendPoint, key)}
                </option>
              ))}
            </select>
          )}
        </PhoneField>
      )}
    </>
  )
}

function TimeFields({ draft, faults, onChange }: FieldsProps) {
  const moment = (key: 'beginTime' | 'endTime') => (control: PhoneControl) => (
    <input
      {...control}
      type="datetime-local"
      value={inputOf(draft[key])}
      onChange={e => onChange({ [key]: momentOfInput(e.target.value) })}
    />
  )
  const day = (key: 'workDay' | 'restDay') => (control: PhoneControl) => (
    <input
      {...control}
      type="date"
      value={draft[key] ?? ''}
      onChange={e => onChange({ [key]: isDay(e.target.value) ? e.target.value : undefined })}
    />
  )
  if (isSwap(draft))
    return (
      <>
        <PhoneField label="上班日" hint="改为上班的日期" fault={faults.workDay}>
          {day('workDay')}
        </PhoneField>
        <PhoneField label="休息日" hint="改为休息的日期">
          {day('restDay')}
        </PhoneField>
      </>
    )
  return (
    <>
      <PhoneField label={isMend(draft) ? '补卡时间' : '开始时间'} isRequired fault={faults.beginTime}>
        {moment('beginTime')}
      </PhoneField>
      {!hasNoEnd(draft) && (
        <PhoneField label="结束时间" isRequired fault={faults.endTime}>
          {moment('endTime')}
        </PhoneField>
      )}
    </>
  )
}

const ReasonField = ({ draft, faults, onChange }: FieldsProps) => (
  <PhoneField label="事由" isRequired fault={faults.reason}>
    {control => (
      <textarea
        {...control}
        rows={3}
        maxLength={500}
        value={draft.reason ?? ''}
        onChange={e => onChange({ reason: e.target.value })}
      />
    )}
  </PhoneField>
)

/** Only what belongs to the chosen type is sent. */
function sentOf(draft: Draft): Omit<OwnDraft, 'attachments' | 'chosen'> {
  const { applyType: type = 'leave', reason = '', beginTime, endTime, workDay, restDay } = draft
  const about = { applyType: type, reason: reason.trim() }
  if (type === 'swap') return { ...about, workDay, restDay }
  if (type === 'mend') return { ...about, beginTime, mendPoint: draft.mendPoint }
  return { ...about, beginTime, endTime, ...(type === 'leave' ? { leaveType: draft.leaveType } : {}) }
}

interface SentRequest {
  readonly draft: Draft
  readonly chosen: ChosenApprovers
  /** One that came back. */
  readonly row: AttendanceApply | undefined
  readonly onDone: () => void
}

function useRequest({ draft, chosen, row, onDone }: SentRequest) {
  const [version] = useState(row?.version)
  const sending = useSend(sendOwnApplication, { quiet: true })
  const resending = useSend(resendOwnApplication, { quiet: true })
  const photos = useFormPhotos(`attendance.request-photos${row ? `/${row.id}` : ''}`, row?.attachments)
  const [refusal, setRefusal] = useState<string>()
  const [hasTried, setTried] = useState(false)
  const faults = missingOf(draft)
  const submit = async (): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    if (Object.keys(faults).length) return
    try {
      const attachments = await uploadPhotos(photos.photos)
      const sent = { ...sentOf(draft), attachments, chosen }
      await (row ? resending.mutateAsync({ ...sent, id: row.id, version }) : sending.mutateAsync(sent))
      photos.clear()
      onDone()
    } catch (error) {
      setRefusal(describeRefusal(error, '提交失败，请重试'))
    }
  }
  return {
    photos,
    refusal,
    isBusy: sending.isPending || resending.isPending,
    faults: hasTried ? faults : {},
    submit,
  }
}

/** A request on the phone, with who will approve it. */
export function PhoneRequestForm({
  limits,
  row,
  onBack,
}: {
  readonly limits: Limits
  /** One that came back: it is changed and sent in again. */
  readonly row?: AttendanceApply
  readonly onBack: () => void
}) {
  const [amended] = useState(() => row && amendmentOf(row))
  const [draft, setDraft] = useState<Draft>(
    amended ?? { applyType: limits.types.find(({ isOffered }) => isOffered)?.applyType },
  )
  const [chosen, setChosen] = useState<ChosenApprovers>([])
  const { photos, refusal, isBusy, faults, submit } = useRequest({ draft, chosen, row, onDone: onBack })
  const fields = {
    draft,
    faults,
    onChange: (changed: Draft) => setDraft(before => ({ ...before, ...changed })),
  }
  const fault: ReactNode = refusal && (
    <p className="fault" role="alert">
      {refusal}
    </p>
  )
  return (
    <PhoneForm onSubmit={() => void submit()}>
      <main>
        {row && row.staffId !== limits.staffId && <p>员工：{row.staffName}</p>}
        {row?.returnReason && <p role="status">退回原因：{row.returnReason}</p>}
        <KindFields {...fields} limits={limits} isAmended={row !== undefined} />
        <TimeFields {...fields} />
        <ReasonField {...fields} />
        <MediaField
          label="附件"
          kind="image"
          max={9}
          items={photos.items}
          isBusy={photos.isBusy}
          fault={photos.fault}
          onAdd={photos.add}
          onRemove={photos.remove}
        />
        <OwnPreview values={draft} amended={amended} chosen={chosen} onChoose={setChosen} />
        {fault}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        <button type="submit" className="big primary" disabled={isBusy}>
          {isBusy ? '正在提交…' : row ? '重新提交' : '提交申请'}
        </button>
      </div>
    </PhoneForm>
  )
}
