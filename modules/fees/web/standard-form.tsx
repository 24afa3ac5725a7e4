import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { parseId } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useSearchParams, useNavigate } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
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

const noTrial = (
  <div className="trial">
    <h3>试算</h3>
    <p>选择公式并填写单价后，此处显示一期试算结果</p>
  </div>
)

// The form is usable without it.
const Trial = lazyComponent(() => import('./trial.tsx').then(m => m.Trial), noTrial)

const renderTrial = (
  definitions: Definitions,
  values: Partial<StandardDraft>,
  versions?: readonly StandardVersion[],
) => {
  const formula = definitions.formulas.get(values.formulaId ?? 0)
  const feeItem = definitions.items.get(values.feeItemId ?? 0)
  return formula ? (
    <Trial
      standard={draftStandard(values)}
      metered={feeItem?.feeType === 'metered'}
      formula={formula}
      versions={versions ?? [values]}
    />
  ) : (
    noTrial
  )
}

/** Of a standard that bills use, the fields that decide their amounts cannot be changed. */
const lockAmountField = (fieldKey: FormFieldGroup['keys'][number]): FormFieldGroup['keys'][number] => {
  const key = typeof fieldKey === 'string' ? fieldKey : fieldKey.key
  return (amountFields as readonly string[]).includes(key)
    ? { ...(typeof fieldKey === 'string' ? { key } : fieldKey), disabledReason: () => usedByBillsMessage }
    : fieldKey
}

export function AddStandardPage() {
  const [searchParams] = useSearchParams()
  const definitions = useDefinitions()
  const add = useSend(addStandard, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const formulaId = parseId(searchParams.get('formula')) || undefined
  const feeItemId = parseId(searchParams.get('item')) || undefined
  const groups = useMemo(() => definitions && createStandardFormGroups(definitions, true), [definitions])
  const initial = useMemo(
    () => ({
      effectiveDate: firstOfMonth(today()),
      ...(formulaId ? { formulaId } : {}),
      ...(feeItemId ? { feeItemId } : {}),
    }),
    [formulaId, feeItemId],
  )
  if (!definitions || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      shape={addStandard.input}
      title="新增收费标准"
      groups={groups}
      below={values => <LateRateWarning rates={values.lateRates} />}
      initial={initial}
      draftKey="fee-standard/new"
      submitLabel="新增收费标准"
      aside={values => renderTrial(definitions, values)}
      save={values => add.mutateAsync(values)}
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
  const definitions = useDefinitions()
  const {
    id,
    record: standard,
    placeholder,
  } = useAddressedRecord(getStandard, { tabTitle: s => `编辑 ${s.name}`, rows: 10 })
  const versions = useCall(listVersions, { standardId: id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editStandard, { quiet: true })
  const tab = useTab()
  const isUsed = versions.data?.some(version => version.used) ?? false
  const groups = useMemo(
    () =>
      definitions &&
      createStandardFormGroups(definitions, false).map(g =>
        isUsed ? { ...g, keys: g.keys.map(k => lockAmountField(k)) } : g,
      ),
    [definitions, isUsed],
  )
  if (!standard) return placeholder
  if (!definitions || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      key={standard.id}
      shape={editStandard.input}
      title={`编辑收费标准「${standard.name}」`}
      groups={groups}
      below={values => <LateRateWarning rates={values.lateRates} />}
      initial={standard}
      draftKey={`fee-standard/${standard.id}`}
      aside={values => renderTrial(definitions, { ...standard, ...values }, versions.data?.toReversed())}
      save={values => edit.mutateAsync(values)}
      loadCurrent={async () => ({ ...(await send(getStandard, { id })) })}
      onDone={saved => {
        toast.success(`已保存收费标准「${saved.name}」，以后出的账单按新设置`)
        tab.close()
      }}
    />
  )
}
