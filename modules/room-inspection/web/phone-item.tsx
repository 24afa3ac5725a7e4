import { useState } from 'react'
import { keysOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useFormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { findingResult, recheckResult } from '../contract/choices.ts'
import { maxPhotos, type InspectionFinding } from '../contract/finding.ts'
import type { Judgement, Judgements } from './finding-queue.ts'

interface PhoneItemProps {
  readonly finding: InspectionFinding
  /** The sheet is looked at again: problems of before are judged as put right or not. */
  readonly isRecheck: boolean
  readonly onJudge: Judgements['judge']
  readonly onDone: () => void
}

interface ChoicesRowProps<K extends string> {
  readonly label: string
  readonly choices: readonly (readonly [K, string])[]
  readonly value: K | undefined
  readonly onChange: (value: K) => void
}

function ChoicesRow<K extends string>({ label, choices, value, onChange }: ChoicesRowProps<K>) {
  return (
    <div className="results" role="group" aria-label={label}>
      {choices.map(([key, text]) => (
        <button
          type="button"
          key={key}
          className={`big ${key}`}
          aria-pressed={value === key}
          onClick={() => onChange(key)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

const results = keysOf(findingResult).map(key => [key, labelOf(findingResult, key)] as const)
const rechecks = keysOf(recheckResult).map(key => [key, labelOf(recheckResult, key)] as const)

/** One item on the phone: its result, and of a problem what it is, with photos. */
export function PhoneItem({ finding, isRecheck, onJudge, onDone }: PhoneItemProps) {
  const wasProblem = isRecheck && finding.result === 'problem' && finding.workOrderId !== undefined
  const [result, setResult] = useState(finding.result)
  const [recheck, setRecheck] = useState<ChoiceOf<typeof recheckResult> | undefined>(finding.recheckResult)
  const [problem, setProblem] = useState(finding.problem ?? '')
  const [fault, setFault] = useState<string>()
  const [hasTried, setTried] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const photos = useFormPhotos(`room-inspection.form-photos/${finding.id}`, finding.photos)
  const isProblem = wasProblem ? recheck === 'failed' : result === 'problem'
  const isMissing = wasProblem ? recheck === undefined : result === undefined
  const judgementOf = (): Judgement | undefined => {
    const ofProblem = isProblem ? { problem } : {}
    if (wasProblem) return recheck && { recheckResult: recheck, ...ofProblem }
    return result && { result, ...ofProblem }
  }
  const save = async (): Promise<void> => {
    const judgement = judgementOf()
    if (!judgement) return
    setTried(true)
    setFault(undefined)
    if (isProblem && !problem.trim()) return
    setSaving(true)
    try {
      await onJudge(finding.id, judgement, isProblem ? photos.photos : [])
      photos.clear()
      onDone()
    } catch (e) {
      setFault(e instanceof Error ? e.message : '保存失败，请重试')
    } finally {
      setSaving(false)
    }
  }
  return (
    <PhoneForm onSubmit={() => void save()}>
      <main>
        <dl className="facts">
          <div>
            <dt>部位</dt>
            <dd>{finding.part}</dd>
          </div>
          <div>
            <dt>检查方法</dt>
            <dd>{finding.method ?? '目测'}</dd>
          </div>
        </dl>
        {wasProblem ? (
          <>
            <p className="todo">上次问题：{finding.problem}</p>
            <ChoicesRow label="复查结果" choices={rechecks} value={recheck} onChange={setRecheck} />
          </>
        ) : (
          <ChoicesRow label="查验结果" choices={results} value={result} onChange={setResult} />
        )}
        {isProblem && (
          <>
            <PhoneField
              label="问题描述"
              isRequired
              fault={hasTried && !problem.trim() ? '请填写问题描述' : undefined}
            >
              {control => (
                <textarea
                  {...control}
                  rows={3}
                  maxLength={500}
                  value={problem}
                  onChange={event => setProblem(event.target.value)}
                />
              )}
            </PhoneField>
            <MediaField
              label="照片"
              kind="image"
              items={photos.items}
              max={maxPhotos}
              hint={`最多 ${maxPhotos} 张`}
              fault={photos.fault}
              isBusy={photos.isBusy}
              onAdd={photos.add}
              onRemove={photos.remove}
            />
          </>
        )}
        <FieldFault fault={fault} />
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onDone}>
          返回
        </button>
        <button type="submit" className="big primary" disabled={isMissing || isSaving || photos.isBusy}>
          保存
        </button>
      </div>
    </PhoneForm>
  )
}
