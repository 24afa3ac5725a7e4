import { useState } from 'react'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { isDay } from '#kit/domain/day.ts'
import { isDecimal } from '#kit/domain/decimal.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { usePhoneDraft } from '#kit/web/phone/use-phone-draft.ts'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { savePurchase, type PurchaseDetail } from '../contract/purchase.ts'
import { approvalFormOf } from './approval-form.ts'
import { PhoneLines, emptyLine, type LineDraft } from './phone-lines.tsx'
import { ReturnNotice, usePurchaseApproval } from './one-purchase.tsx'
import { estimateOf, valuesOf, wholeOf, type Save } from './request-values.ts'

type RequestDraft = {
  readonly projectCode: string
  readonly title: string
  readonly needDate: string
  readonly purpose: string
  readonly isUrgent: boolean
  readonly urgentReason: string
  readonly lines: readonly LineDraft[]
}

type Faults = { readonly [K in keyof RequestDraft]?: string }

const draftOfRow = (row: PurchaseDetail | undefined): RequestDraft => {
  const values: Partial<Save> = row ? valuesOf(row) : {}
  return {
    projectCode: values.projectCode ?? '',
    title: values.title ?? '',
    needDate: values.needDate ?? '',
    purpose: values.purpose ?? '',
    isUrgent: values.isUrgent ?? false,
    urgentReason: values.urgentReason ?? '',
    lines: values.lines?.map(line => ({ ...emptyLine, ...line })) ?? [emptyLine],
  }
}

const isLineWhole = ({ itemName, unit, quantity, price }: LineDraft): boolean =>
  Boolean(itemName.trim() && unit.trim()) && isDecimal(quantity) && Number(quantity) > 0 && isDecimal(price)

const missing = (draft: RequestDraft): Faults => ({
  ...(draft.projectCode ? {} : { projectCode: '请选择项目' }),
  ...(draft.title.trim() ? {} : { title: '请填写标题' }),
  ...(isDay(draft.needDate) ? {} : { needDate: '请选择需求日期' }),
  ...(draft.purpose.trim().length >= 2 ? {} : { purpose: '请填写用途' }),
  ...(draft.isUrgent && draft.urgentReason.trim().length < 2 ? { urgentReason: '请填写紧急原因' } : {}),
  ...(draft.lines.length && draft.lines.every(isLineWhole)
    ? {}
    : { lines: '请填写每一项的品名、单位、数量与单价' }),
})

const inputOf = (
  draft: RequestDraft,
  row: PurchaseDetail | undefined,
  submits: boolean,
  chosen: ChosenApprovers,
): Save | undefined => {
  const { needDate, urgentReason, lines, ...texts } = draft
  if (!isDay(needDate)) return undefined
  const kept = row ? valuesOf(row) : {}
  return {
    ...(row ? { id: row.id, version: row.version } : {}),
    ...(kept.supplierId === undefined ? {} : { supplierId: kept.supplierId }),
    ...(kept.attachments ? { attachments: kept.attachments } : {}),
    ...texts,
    needDate,
    ...(draft.isUrgent ? { urgentReason } : {}),
    lines: lines.map(({ spec, remark, ...line }) => ({
      ...line,
      ...(spec ? { spec } : {}),
      ...(remark ? { remark } : {}),
    })),
    submits,
    chosen,
  }
}

interface FieldsProps {
  readonly draft: RequestDraft
  readonly faults: Faults
  readonly isNew: boolean
  readonly onChange: (patch: Partial<RequestDraft>) => void
}

const useEstates = () => useCall(listEstates, { size: 1000 }, { quiet: true }).data?.rows ?? []

function ProjectField({ draft, faults, isNew, onChange }: FieldsProps) {
  const estates = useEstates()
  return (
    <PhoneField label="项目" isRequired fault={faults.projectCode}>
      {control => (
        <select
          {...control}
          value={draft.projectCode}
          disabled={!isNew}
          onChange={e => onChange({ projectCode: e.target.value })}
        >
          <option value="">请选择</option>
          {estates
            .filter(estate => estate.state === 'on' || estate.projectCode === draft.projectCode)
            .map(estate => (
              <option key={estate.id} value={estate.projectCode}>
                {estate.name}
              </option>
            ))}
        </select>
      )}
    </PhoneField>
  )
}

function RequestFields(props: FieldsProps) {
  const { draft, faults, onChange } = props
  return (
    <>
      <ProjectField {...props} />
      <PhoneField label="标题" isRequired fault={faults.title}>
        {control => (
          <input
            {...control}
            maxLength={80}
            value={draft.title}
            onChange={e => onChange({ title: e.target.value })}
          />
        )}
      </PhoneField>
      <PhoneField label="需求日期" isRequired fault={faults.needDate}>
        {control => (
          <input
            {...control}
            type="date"
            value={draft.needDate}
            onChange={e => onChange({ needDate: e.target.value })}
          />
        )}
      </PhoneField>
      <PhoneField label="用途" isRequired fault={faults.purpose}>
        {control => (
          <textarea
            {...control}
            rows={2}
            maxLength={500}
            value={draft.purpose}
            onChange={e => onChange({ purpose: e.target.value })}
          />
        )}
      </PhoneField>
      <label className="tick">
        <input
          type="checkbox"
          checked={draft.isUrgent}
          onChange={e => onChange({ isUrgent: e.target.checked })}
        />
        紧急采购
      </label>
      {draft.isUrgent && (
        <PhoneField label="紧急原因" isRequired fault={faults.urgentReason}>
          {control => (
            <input
              {...control}
              maxLength={200}
              value={draft.urgentReason}
              onChange={e => onChange({ urgentReason: e.target.value })}
            />
          )}
        </PhoneField>
      )}
    </>
  )
}

interface PhoneRequestProps {
  readonly row?: PurchaseDetail
  readonly onBack: () => void
  readonly onDone: (id: number) => void
}

/** What the form holds, and how it is sent. */
function useRequest({ row, onDone }: PhoneRequestProps) {
  const typed = usePhoneDraft(draftOfRow(row), {
    key: draftKeyOf(savePurchase, row ? `phone-${row.id}` : 'phone-new') ?? '',
    version: row?.version,
  })
  const usable = useEstates().filter(estate => estate.state === 'on')
  // Who works for one project alone does not choose it.
  const onlyProject = usable.length === 1 ? usable[0]?.projectCode : undefined
  const draft = { ...typed.values, projectCode: typed.values.projectCode || (onlyProject ?? '') }
  const approval = usePurchaseApproval(row)
  const [own, setChosen] = useState<ChosenApprovers>()
  const chosen = own ?? approval?.chosen ?? []
  const [hasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const saving = useSend(savePurchase, { quiet: true })
  const faults = missing(draft)
  const save = async (submits: boolean): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    const input = inputOf(draft, row, submits, chosen)
    if (Object.keys(faults).length || !input) return
    try {
      const saved = await saving.mutateAsync(input)
      typed.drop()
      onDone(saved.id)
    } catch (error) {
      setRefusal(describeRefusal(error, '提交失败，请重试'))
    }
  }
  return {
    draft,
    change: typed.change,
    isRestored: typed.isRestored,
    discard: typed.discard,
    instanceId: row?.isReturned ? approval?.id : undefined,
    chosen,
    setChosen,
    faults: hasTried ? faults : {},
    isWhole: Object.keys(faults).length === 0,
    refusal,
    isBusy: saving.isPending,
    save: (submits: boolean) => void save(submits),
  }
}

/** 采购申请 on the phone: new, a draft, or one that was refused or came back. */
export function PhoneRequest(props: PhoneRequestProps) {
  const { row, onBack } = props
  const request = useRequest(props)
  const { draft, faults, change } = request
  const totalAmount = wholeOf(draft.lines, row)
  return (
    <PhoneForm onSubmit={() => request.save(true)}>
      <header>
        <div>
          <button type="button" className="big" onClick={onBack}>
            返回
          </button>
          <h1>{row ? row.purchaseNo : '采购申请'}</h1>
        </div>
      </header>
      <main>
        {row && <ReturnNotice row={row} />}
        {row?.state === 'refused' && row.endReason && <p className="fault">驳回原因：{row.endReason}</p>}
        {row?.state === 'approved' && <p className="purchase-returned">采购已批准，修改后须重新审批</p>}
        {request.isRestored && (
          <p className="purchase-restored" role="status">
            <span>已恢复上次填写、尚未保存的内容</span>
            <button type="button" className="big" onClick={request.discard}>
              清除
            </button>
          </p>
        )}
        <RequestFields draft={draft} faults={faults} isNew={!row} onChange={change} />
        <PhoneLines lines={draft.lines} onChange={lines => change({ lines })} />
        <FieldFault fault={faults.lines} />
        <p className="total">
          <span>预估金额</span>
          <output>{displayYuanWithSymbol(estimateOf(draft.lines))}</output>
        </p>
        {request.isWhole && (
          <ApproverPreview
            bizType="purchase"
            fields={purchaseKind.form}
            instanceId={request.instanceId}
            form={approvalFormOf({ ...draft, departmentId: row?.departmentId, totalAmount })}
            chosen={request.chosen}
            onChoose={request.setChosen}
          />
        )}
        <FieldFault fault={request.refusal} />
      </main>
      <div className="foot">
        <button type="button" className="big" disabled={request.isBusy} onClick={() => request.save(false)}>
          {row && row.state !== 'draft' ? '保存' : '存草稿'}
        </button>
        <button type="submit" className="big primary" disabled={request.isBusy}>
          {request.isBusy ? '正在提交…' : row?.isReturned ? '重新提交' : '提交申请'}
        </button>
      </div>
    </PhoneForm>
  )
}
