import { useState, type ReactNode } from 'react'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { checkAsResident, evaluateAsResident } from '../contract/resident.ts'
import { maxPhotos } from '../contract/work-order.ts'
import type { RunAction } from './resident-actions.tsx'
import { useResidentFiles, type ResidentFiles } from './resident-files.ts'
import type { FollowedOrder } from './resident-order.tsx'

const anonymous = { quiet: true, project: 0 } as const

interface FormProps {
  readonly token: string
  readonly runAction: RunAction
  readonly fault: string | undefined
  readonly onClose: () => void
}

/** A form of one action, at the bottom of the page: 返回 leaves it. */
function ActionForm({
  label,
  submitLabel,
  fault,
  isUploading = false,
  onClose,
  onSubmit,
  children,
}: {
  readonly label: string
  readonly submitLabel: string
  readonly fault: string | undefined
  readonly isUploading?: boolean
  readonly onClose: () => void
  /** True when it is done. */
  readonly onSubmit: () => Promise<boolean>
  readonly children: ReactNode
}) {
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    if (await onSubmit()) {
      onClose()
    } else {
      setBusy(false)
    }
  }
  return (
    <PhoneForm className="foot form" aria-label={label} onSubmit={() => void submit()}>
      {children}
      <FieldFault fault={fault} />
      <div className="pair">
        <button type="button" className="big" onClick={onClose}>
          返回
        </button>
        <button type="submit" className="big primary" disabled={isBusy || isUploading}>
          {isUploading ? '正在上传…' : submitLabel}
        </button>
      </div>
    </PhoneForm>
  )
}

const hasReason = (text: string): boolean => [...text.trim()].length >= 2
const reasonFault = (reason: string, hasTried: boolean): string | undefined =>
  hasTried && !hasReason(reason) ? '请填写原因，至少 2 个字' : undefined

function ReasonBox({
  label,
  value,
  fault,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}) {
  return (
    <PhoneField label={label} isRequired fault={fault}>
      {control => (
        <textarea
          {...control}
          rows={3}
          maxLength={200}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </PhoneField>
  )
}

function PhotoBox({ files }: { readonly files: ResidentFiles }) {
  return (
    <MediaField
      label="图片"
      kind="image"
      items={files.items}
      max={maxPhotos}
      hint="选填"
      isBusy={files.isBusy}
      fault={files.fault}
      onAdd={files.add}
      onRemove={files.remove}
    />
  )
}

/** An action that asks for its reason alone. */
export function ReasonForm({
  label,
  submitLabel,
  fault,
  onClose,
  onSubmit,
}: {
  readonly label: string
  readonly submitLabel: string
  readonly fault: string | undefined
  readonly onClose: () => void
  readonly onSubmit: (reason: string) => Promise<boolean>
}) {
  const [reason, setReason] = useState('')
  const [hasTried, setTried] = useState(false)
  return (
    <ActionForm
      label={label}
      submitLabel={submitLabel}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        setTried(true)
        return hasReason(reason) && onSubmit(reason.trim())
      }}
    >
      <ReasonBox label={label} value={reason} fault={reasonFault(reason, hasTried)} onChange={setReason} />
    </ActionForm>
  )
}

/** The work is sent back: what is still wrong, with pictures. */
export function RejectForm({ token, runAction, fault, onClose }: FormProps) {
  const [reason, setReason] = useState('')
  const [hasTried, setTried] = useState(false)
  const files = useResidentFiles(token, 'reject', 'image')
  return (
    <ActionForm
      label="退回重新处理"
      submitLabel="退回"
      fault={fault}
      isUploading={files.isBusy}
      onClose={onClose}
      onSubmit={async () => {
        setTried(true)
        if (!hasReason(reason)) return false
        const input = { token, isPassed: false, reason: reason.trim(), photos: files.keys }
        const isSent = await runAction(() => send(checkAsResident, input, anonymous))
        if (isSent) {
          files.clear()
        }
        return isSent
      }}
    >
      <ReasonBox label="退回原因" value={reason} fault={reasonFault(reason, hasTried)} onChange={setReason} />
      <PhotoBox files={files} />
    </ActionForm>
  )
}

const scored = [
  ['speedScore', '响应速度'],
  ['attitudeScore', '服务态度'],
  ['qualityScore', '维修质量'],
] as const

type Scores = { readonly [K in (typeof scored)[number][0]]: number }
const scale = [1, 2, 3, 4, 5]
const unscored: Scores = { speedScore: 0, attitudeScore: 0, qualityScore: 0 }

function ScoreRow({
  label,
  value,
  fault,
  onChange,
}: {
  readonly label: string
  readonly value: number
  readonly fault: string | undefined
  readonly onChange: (value: number) => void
}) {
  return (
    <fieldset className="score">
      <legend>
        <RequiredStar />
        {label}
      </legend>
      {scale.map(score => (
        <label key={score} className={score <= value ? 'lit' : ''}>
          <input
            type="radio"
            name={label}
            value={score}
            checked={score === value}
            onChange={() => onChange(score)}
          />
          <span aria-hidden="true">★</span>
          <span className="aloud">{score} 分</span>
        </label>
      ))}
      <FieldFault fault={fault} />
    </fieldset>
  )
}

/** WO-10: three scores, words and pictures; changed once within a day. */
export function RatingForm({
  token,
  order: { evaluation },
  runAction,
  fault,
  onClose,
}: FormProps & { readonly order: FollowedOrder }) {
  const [scores, setScores] = useState<Scores>(evaluation ?? unscored)
  const [content, setContent] = useState(evaluation?.content ?? '')
  const [hasTried, setTried] = useState(false)
  const files = useResidentFiles(token, 'rating', 'image')
  const isComplete = scored.every(([key]) => scores[key] > 0)
  const submit = async (): Promise<boolean> => {
    setTried(true)
    if (!isComplete) return false
    const { speedScore, attitudeScore, qualityScore } = scores
    const isSent = await runAction(() =>
      send(
        evaluateAsResident,
        {
          token,
          speedScore,
          attitudeScore,
          qualityScore,
          photos: files.keys,
          ...(content.trim() ? { content: content.trim() } : {}),
        },
        anonymous,
      ),
    )
    if (isSent) {
      files.clear()
      toast.success('感谢评价')
    }
    return isSent
  }
  return (
    <ActionForm
      label="评价"
      submitLabel="提交评价"
      fault={fault}
      isUploading={files.isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      {scored.map(([key, label]) => (
        <ScoreRow
          key={key}
          label={label}
          value={scores[key]}
          fault={hasTried && !scores[key] ? `请为${label}打分` : undefined}
          onChange={score => setScores({ ...scores, [key]: score })}
        />
      ))}
      <label className="field">
        <span className="label">
          评价内容<small>选填</small>
        </span>
        <textarea
          rows={2}
          maxLength={500}
          value={content}
          onChange={event => setContent(event.target.value)}
        />
      </label>
      <PhotoBox files={files} />
    </ActionForm>
  )
}
