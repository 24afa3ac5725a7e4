import { useStored } from '#kit/web/browser-store.ts'
import type { Id } from '#kit/domain/id.ts'
import { MediaField } from '#kit/web/phone/media-field.tsx'
import { personalKey } from '#kit/web/session.ts'
import { maxPhotos, type WorkOrder } from '../contract/work-order.ts'
import { MobileParts } from './mobile-parts.tsx'
import { ReasonField, StepFrame, useStepPhotos, useStepSubmit, type Perform } from './mobile-form.tsx'
import { costProblem, emptyEntry, type DraftLine, type PartEntry } from './mobile-cost.ts'
import { costRefusal } from './mobile-steps.ts'

interface FinishDraft {
  readonly resultText: string
  readonly lines: readonly DraftLine[]
  /** A part that is half typed; drafts of before have none. */
  readonly entry?: PartEntry
}

const finishDraftKey = (orderId: Id): string => personalKey(`work-orders.finish/${orderId}`)
const emptyDraft: FinishDraft = { resultText: '', lines: [] }
const usualResults = ['已修复，使用正常', '已更换配件，使用正常', '已清理，恢复通畅']

/** The result with its pictures and what it cost. What is typed stays until it is sent. */
export function MobileFinish({
  order,
  perform,
  onBack,
}: {
  readonly order: WorkOrder
  readonly perform: Perform
  readonly onBack: () => void
}) {
  const [draft, setDraft] = useStored<FinishDraft>(finishDraftKey(order.id), emptyDraft)
  const photos = useStepPhotos(order, 'finish')
  const { photoCount } = order.limits
  const chargeRefusal = costRefusal(order)
  const { entry = emptyEntry } = draft
  const send = async (): Promise<void> => {
    const { resultText } = draft
    const lines = chargeRefusal === undefined ? draft.lines : []
    await perform({ action: 'finish', resultText: resultText.trim(), lines }, photos.photos)
    photos.clear()
    setDraft(emptyDraft)
  }
  const { isBusy, faults, refusal, submit } = useStepSubmit(send, onBack, {
    result: [...draft.resultText.trim()].length < 2 ? '请填写处理结果，至少 2 个字' : undefined,
    photos: photos.photos.length < photoCount ? `请至少拍 ${photoCount} 张完成照片` : undefined,
    cost: chargeRefusal === undefined ? costProblem(draft.lines, entry) : undefined,
  })
  return (
    <StepFrame
      title="完成"
      order={order}
      submitLabel="完成工单"
      isBusy={isBusy}
      refusal={refusal}
      onBack={onBack}
      onSubmit={submit}
    >
      <ReasonField
        label="处理结果"
        usual={usualResults}
        value={draft.resultText}
        fault={faults.result}
        onChange={resultText => setDraft({ ...draft, resultText })}
      />
      <MediaField
        label="完成照片"
        kind="image"
        items={photos.items}
        max={maxPhotos}
        isRequired={photoCount > 0}
        hint={photoCount ? `至少 ${photoCount} 张` : '可不拍'}
        fault={photos.fault ?? faults.photos}
        onAdd={photos.add}
        onRemove={photos.remove}
      />
      {chargeRefusal === undefined ? (
        <MobileParts
          order={order}
          lines={draft.lines}
          entry={entry}
          fault={faults.cost}
          onChange={cost => setDraft({ ...draft, ...cost })}
        />
      ) : (
        <section className="field" aria-label="费用明细">
          <span className="label">费用明细</span>
          <p className="note">{chargeRefusal}</p>
        </section>
      )}
    </StepFrame>
  )
}
