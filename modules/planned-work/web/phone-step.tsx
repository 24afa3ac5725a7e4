import { useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useFormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { useSend } from '#kit/web/query.ts'
import { stepVerdict, type StepVerdict } from '../contract/choices.ts'
import { maxPhotos, type WorkStep } from '../contract/task.ts'
import { signTask } from '../contract/task-calls.ts'

const needsValue = ({ needs = {} }: WorkStep): boolean =>
  needs.minValue !== undefined || needs.maxValue !== undefined

const rangeText = ({ needs = {} }: WorkStep): string =>
  `应在 ${needs.minValue ?? '--'} 至 ${needs.maxValue ?? '--'} ${needs.unit ?? ''}`

/** One step on the telephone: its verdict, the measured value, words and photos. */
export function PhoneStep({ step, onDone }: { readonly step: WorkStep; readonly onDone: () => void }) {
  const [verdict, setVerdict] = useState<StepVerdict>()
  const [value, setValue] = useState('')
  const [remark, setRemark] = useState('')
  const [fault, setFault] = useState<string>()
  const [uuid, setUuid] = useState(() => crypto.randomUUID())
  const photos = useFormPhotos(`planned-work.step-photos/${step.id}`)
  const signing = useSend(signTask, { quiet: true })
  const save = async (): Promise<void> => {
    setFault(undefined)
    const deviceTime = fromInstant(Date.now())
    try {
      const keys = await uploadPhotos(photos.photos)
      const sign = { uuid, taskId: step.taskId, stepId: step.id, signType: 'manual' as const, deviceTime }
      const [answer] = await signing.mutateAsync({
        signs: [{ ...sign, verdict, value: value || undefined, remark: remark || undefined, photos: keys }],
        sentTime: deviceTime,
      })
      if (answer && !answer.isKept) {
        setFault(answer.message)
        // What did not count is stored under its number: the next try is another sign.
        setUuid(crypto.randomUUID())
        return
      }
      photos.clear()
      onDone()
    } catch (e) {
      setFault(e instanceof Error ? e.message : '保存失败，请重试')
    }
  }
  return (
    <PhoneForm onSubmit={() => void save()}>
      <header>
        <div>
          <h1>{step.stepName}</h1>
        </div>
      </header>
      <main>
        <div className="results" role="group" aria-label="检查结果">
          {keysOf(stepVerdict).map(key => (
            <button
              type="button"
              key={key}
              className="big"
              aria-pressed={verdict === key}
              onClick={() => setVerdict(key)}
            >
              {labelOf(stepVerdict, key)}
            </button>
          ))}
        </div>
        {needsValue(step) && (
          <PhoneField label="数值" isRequired fault={undefined}>
            {control => (
              <input
                {...control}
                inputMode="decimal"
                placeholder={rangeText(step)}
                value={value}
                onChange={event => setValue(event.target.value)}
              />
            )}
          </PhoneField>
        )}
        <PhoneField label="说明" fault={undefined}>
          {control => (
            <textarea
              {...control}
              rows={2}
              maxLength={200}
              value={remark}
              onChange={event => setRemark(event.target.value)}
            />
          )}
        </PhoneField>
        <MediaField
          label="照片"
          kind="image"
          items={photos.items}
          max={maxPhotos}
          hint={step.needs?.photo ? '需拍照' : `最多 ${maxPhotos} 张`}
          fault={photos.fault}
          isBusy={photos.isBusy}
          onAdd={photos.add}
          onRemove={photos.remove}
        />
        <FieldFault fault={fault} />
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onDone}>
          返回
        </button>
        <button
          type="submit"
          className="big primary"
          disabled={verdict === undefined || signing.isPending || photos.isBusy}
        >
          保存
        </button>
      </div>
    </PhoneForm>
  )
}
