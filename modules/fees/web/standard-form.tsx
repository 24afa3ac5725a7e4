import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { parseId } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useSearchParams, useNavigate } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { toastWithLink } from '#kit/web/toast-with-link.tsx'
import { firstOfMonth } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import { listFormulas } from '../contract/formula.ts'
import { listItems } from '../contract/item.ts'
import type { StandardVersion } from '../contract/standard.ts'
import { addStandard, editStandard, listVersions, getStandard } from '../contract/standard-calls.ts'
import { LateRateWarning } from './late-rate-warning.tsx'
import { paths, pathWithId } from './paths.ts'
import { createStandardFormGroups, type Definitions } from './standard-form-groups.tsx'
import { usedByBillsMessage, amountFields } from '../domain/definition-rules.ts'
import { draftStandard } from '../domain/stored-standard.ts'
import { Trial } from './trial.tsx'

type StandardDraft = NonNullable<typeof addStandard.input.T>

function useDefinitions(): Definitions | undefined {
  const formulas = useCall(listFormulas, { size: 500 }, { quiet: true })
  const items = useCall(listItems, { size: 500 }, { quiet: true })
  return useMemo(
    () =>
      formulas.data && items.data
        ? {
            formulas: new Map(formulas.data.rows.map(f => [f.id, f])),
            items: new Map(items.data.rows.map(i => [i.id, i])),
          }
        : undefined,
    [formulas.data, items.data],
  )
}

const renderTrial = (
  known: Definitions,
  values: Partial<StandardDraft>,
  versions?: readonly StandardVersion[],
) => {
  const formula = known.formulas.get(values.formulaId ?? 0)
  const feeItem = known.items.get(values.feeItemId ?? 0)
  return formula ? (
    <Trial
      standard={draftStandard(values)}
      metered={feeItem?.feeType === 'metered'}
      formula={formula}
      versions={versions ?? [values]}
    />
  ) : (
    <div className="trial">
      <h3>试算</h3>
      <p>选择公式并填写单价后，此处显示一期试算结果</p>
    </div>
  )
}

/** A standard that bills use keeps what decides their amounts. */
const lockAmountField = (fieldKey: FormFieldGroup['keys'][number]): FormFieldGroup['keys'][number] => {
  const key = typeof fieldKey === 'string' ? fieldKey : fieldKey.key
  return (amountFields as readonly string[]).includes(key)
    ? { ...(typeof fieldKey === 'string' ? { key } : fieldKey), disabledReason: () => usedByBillsMessage }
    : fieldKey
}

export function AddStandardPage() {
  const [at] = useSearchParams()
  const known = useDefinitions()
  const add = useSend(addStandard, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const formula = parseId(at.get('formula')) || undefined
  const item = parseId(at.get('item')) || undefined
  const groups = useMemo(() => known && createStandardFormGroups(known, true), [known])
  const initial = useMemo(
    () => ({
      effectiveDate: firstOfMonth(today()),
      ...(formula ? { formulaId: formula } : {}),
      ...(item ? { feeItemId: item } : {}),
    }),
    [formula, item],
  )
  if (!known || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      shape={addStandard.input}
      title="新增收费标准"
      groups={groups}
      below={v => <LateRateWarning rates={v.lateRates} />}
      initial={initial}
      draftKey="fee-standard/new"
      submitLabel="新增收费标准"
      aside={v => renderTrial(known, v)}
      save={v => add.mutateAsync(v)}
      onDone={result => {
        toastWithLink(`已新增收费标准「${result.name}」`, {
          label: '批量绑定',
          path: `${paths.bind}?standard=${result.id}`,
        })
        tab.close()
        void navigate(pathWithId(paths.standard, result.id))
      }}
    />
  )
}

export function EditStandardPage() {
  const known = useDefinitions()
  const {
    id,
    record: standard,
    placeholder,
  } = useAddressedRecord(getStandard, { tabTitle: s => `编辑 ${s.name}`, rows: 10 })
  const prices = useCall(listVersions, { standardId: id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editStandard, { quiet: true })
  const tab = useTab()
  const used = prices.data?.some(v => v.used) ?? false
  const groups = useMemo(
    () =>
      known &&
      createStandardFormGroups(known, false).map(g =>
        used ? { ...g, keys: g.keys.map(k => lockAmountField(k)) } : g,
      ),
    [known, used],
  )
  if (!standard) return placeholder
  if (!known || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      key={standard.id}
      shape={editStandard.input}
      title={`编辑收费标准「${standard.name}」`}
      groups={groups}
      below={v => <LateRateWarning rates={v.lateRates} />}
      initial={standard}
      draftKey={`fee-standard/${standard.id}`}
      aside={v => renderTrial(known, { ...standard, ...v }, prices.data?.toReversed())}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getStandard, { id })) })}
      onDone={a => {
        toast.success(`已保存收费标准「${a.name}」，以后出的账单按新设置`)
        tab.close()
      }}
    />
  )
}
