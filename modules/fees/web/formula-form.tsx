import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { parseId } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { hasPermission } from '#kit/web/session.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addFormula, editFormula, getFormula } from '../contract/formula.ts'
import { validateFormula } from '../domain/definition-rules.ts'
import { menu } from '../module.ts'
import { FormulaBuilder, FormulaTrial } from './formula-builder.tsx'
import { paths } from './paths.ts'

const isNotCustom = (v: { formulaType?: string }): boolean => v.formulaType !== 'custom'

const formGroups: readonly FormFieldGroup[] = [
  {
    title: '公式',
    keys: [
      'name',
      'formulaType',
      { key: 'expression', control: FormulaBuilder, isHidden: isNotCustom },
      {
        key: 'parameters',
        wide: true,
        isHidden: isNotCustom,
        help: '公式的自定义参数，如“电梯费”；绑定标准时填写参数值。必填参数无值时不能计费',
      },
    ],
  },
  {
    title: '试算',
    keys: [
      {
        key: 'tests',
        label: '样例值',
        control: FormulaTrial,
        isHidden: isNotCustom,
        help: '试算成功后才能保存；样例值随公式保存',
      },
    ],
  },
  { title: '其他', keys: ['remark'] },
]

type FormulaDraft = NonNullable<typeof addFormula.input.T>

/** The server's own validation, before anything is sent. */
const validateDraft = (v: FormulaDraft) =>
  Object.fromEntries(
    validateFormula({ ...v, formulaType: v.formulaType ?? 'custom' }).map(f => [f.key, f.message]),
  )

export function AddFormulaPage() {
  const [at] = useSearchParams()
  const from = parseId(at.get('copy'))
  const query = useCall(getFormula, { id: from }, { quiet: true, enabled: from > 0 })
  const add = useSend(addFormula, { quiet: true })
  const tab = useTab()
  const of = query.data
  const initial = useMemo(
    (): Partial<FormulaDraft> =>
      of
        ? {
            name: `${of.name}（新）`,
            formulaType: 'custom',
            expression: of.expression,
            parameters: of.parameters,
            tests: of.tests,
          }
        : { formulaType: 'custom' },
    [of],
  )
  if (from > 0 && query.isError)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (from > 0 && !of) return <RowSkeleton rows={8} />
  return (
    <FormPage
      shape={addFormula.input}
      title="新增公式"
      groups={formGroups}
      initial={initial}
      draftKey={from ? undefined : 'fee-formula/new'}
      submitLabel="新增公式"
      rules={validateDraft}
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增公式「${a.name}」`)
        tab.close()
      }}
    />
  )
}

export function EditFormulaPage() {
  const edit = useSend(editFormula, { quiet: true })
  const tab = useTab()
  const {
    id,
    record: formula,
    placeholder,
  } = useAddressedRecord(getFormula, { tabTitle: f => `编辑 ${f.name}` })
  const asked = useMemo(
    () =>
      formula?.standards
        ? formGroups.map(group => ({
            ...group,
            keys: group.keys.map(fieldKey =>
              typeof fieldKey !== 'string' && (fieldKey.key === 'expression' || fieldKey.key === 'parameters')
                ? {
                    ...fieldKey,
                    disabledReason: () => `已用于 ${formula.standards} 个收费标准，不能再改；请复制为新公式`,
                  }
                : fieldKey,
            ),
          }))
        : formGroups,
    [formula?.standards],
  )
  if (!formula) return placeholder
  if (formula.isSystem)
    return (
      <StateMessage
        text={`「${formula.name}」是内置公式，不能修改`}
        detail="更换算法请新增公式"
        actions={[
          hasPermission(menu.formula.permissions.add) && {
            label: '新增公式',
            run: () => {
              tab.close()
              navigateTo(paths.addFormula)
            },
          },
        ]}
      />
    )
  return (
    <FormPage
      key={formula.id}
      shape={editFormula.input}
      title={`编辑公式「${formula.name}」`}
      groups={asked}
      initial={formula}
      draftKey={`fee-formula/${formula.id}`}
      rules={validateDraft}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getFormula, { id })) })}
      onDone={a => {
        toast.success(`已保存公式「${a.name}」`)
        tab.close()
      }}
    />
  )
}
