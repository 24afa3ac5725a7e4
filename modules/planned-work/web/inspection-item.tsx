import { useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { dropPhotos, keepPhoto, usePhotoItems } from '#kit/web/phone/stored-photos.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { stepVerdict } from '../contract/choices.ts'
import { maxPhotos, type WorkStep } from '../contract/task.ts'
import { isMeasured, type ItemDraft } from './inspection-draft.ts'

interface InspectionItemProps {
  readonly step: WorkStep
  readonly draft: ItemDraft | undefined
  readonly isOpen: boolean
  readonly onChange: (draft: Partial<ItemDraft>) => void
}

const verdicts = keysOf(stepVerdict)
const noPhotos: readonly string[] = []

/** Pictures of an item, which stand in its draft until all is sent. */
function useDraftPhotos(photos: readonly string[], change: (photos: readonly string[]) => void) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const add = async (files: readonly File[]): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      change([...photos, ...(await Promise.all(files.map(keepPhoto)))])
    } catch {
      setFault('无法读取图片，请重拍或换一张')
    } finally {
      setBusy(false)
    }
  }
  const remove = (photo: string): void => {
    dropPhotos([photo])
    change(photos.filter(other => other !== photo))
  }
  return {
    items: usePhotoItems(photos),
    isBusy,
    fault,
    add: (files: readonly File[]) => void add(files),
    remove,
  }
}

/** One item: its result, its number where it is measured, and of a fault what it is, with photos. */
export function InspectionItem({ step, draft, isOpen, onChange }: InspectionItemProps) {
  const { stepName, needs, weight } = step
  return (
    <section>
      <h2>
        {stepName}
        <small>权重 {weight}</small>
      </h2>
      {isOpen ? (
        <OpenItem step={step} draft={draft} isOpen onChange={onChange} />
      ) : (
        <p>
          {step.verdict ? <ChoiceStatus choices={stepVerdict} value={step.verdict} /> : '未检查'}
          {step.value !== undefined && ` ${step.value}${needs?.unit ?? ''}`}
          {step.abnormal !== undefined && ` ${step.abnormal}`}
          {step.workOrderNo !== undefined && ` 工单 ${step.workOrderNo}`}
        </p>
      )}
    </section>
  )
}

function OpenItem({ step, draft, onChange }: InspectionItemProps) {
  const { stepName, needs } = step
  const photos = useDraftPhotos(draft?.photos ?? noPhotos, kept => onChange({ photos: kept }))
  const { verdict } = draft ?? {}
  return (
    <>
      <div className="verdicts" role="group" aria-label={`${stepName}的结果`}>
        {verdicts.map(key => (
          <button
            type="button"
            key={key}
            className={`big ${key}`}
            aria-pressed={verdict === key}
            onClick={() => onChange({ verdict: key })}
          >
            {labelOf(stepVerdict, key)}
          </button>
        ))}
      </div>
      {isMeasured(step) && verdict !== 'notApplicable' && (
        <PhoneField label={`数值${needs?.unit ? `（${needs.unit}）` : ''}`} isRequired>
          {control => (
            <input
              {...control}
              inputMode="decimal"
              value={draft?.value ?? ''}
              onChange={event => onChange({ value: event.target.value })}
            />
          )}
        </PhoneField>
      )}
      {verdict === 'failed' && (
        <PhoneField label="问题" isRequired>
          {control => (
            <textarea
              {...control}
              rows={2}
              maxLength={500}
              value={draft?.abnormal ?? ''}
              onChange={event => onChange({ abnormal: event.target.value })}
            />
          )}
        </PhoneField>
      )}
      {(verdict === 'failed' || needs?.photo) && (
        <MediaField
          label="照片"
          kind="image"
          items={photos.items}
          max={maxPhotos}
          isRequired={needs?.photo ?? false}
          fault={photos.fault}
          isBusy={photos.isBusy}
          onAdd={photos.add}
          onRemove={photos.remove}
        />
      )}
    </>
  )
}
