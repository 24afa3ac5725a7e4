import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { go } from '#kit/web/go.ts'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { may } from '#kit/web/session.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addFormula, editFormula, oneFormula, type FeeFormula } from '../contract/formula.ts'
import { formulaFaults } from '../domain/define.ts'
import { menu } from '../module.ts'
import { FormulaBuilder, FormulaTrial } from './formula-builder.tsx'
import { places } from './places.ts'

const plain = (v: { formulaType?: string }): boolean => v.formulaType !== 'custom'

const groups: readonly AskGroup[] = [
  {
    title: '公式',
    keys: [
      'name',
      'formulaType',
      { key: 'expression', control: FormulaBuilder, wide: true, hidden: plain },
      {
        key: 'parameters',
        wide: true,
        hidden: plain,
        help: '公式自己的变量，如“电梯费”；绑定标准时填值。必填的没有值就不能计费',
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
        wide: true,
        hidden: plain,
        help: '试算成功后才能保存；样例值随公式保存',
      },
    ],
  },
  { title: '其他', keys: [{ key: 'remark', wide: true }] },
]

type Draft = NonNullable<typeof addFormula.input.T>

/** The same judgement as the server's, before it is asked. */
const rules = (v: Draft) =>
  Object.fromEntries(
    formulaFaults({ ...v, formulaType: v.formulaType ?? 'custom' }).map(f => [f.key, f.message]),
  )

export function AddFormulaPage() {
  const [at] = useSearchParams()
  const from = Number(at.get('copy')) || 0
  const one = useCall(oneFormula, { id: from }, { quiet: true, enabled: from > 0 })
  const add = useSend(addFormula, { quiet: true })
  const tab = useTab()
  const of = one.data
  const initial = useMemo(
    (): Partial<Draft> =>
      of
        ? ({
            name: `${of.name}（新）`,
            formulaType: 'custom',
            expression: of.expression,
            parameters: of.parameters,
            tests: of.tests,
          } as Partial<Draft>)
        : { formulaType: 'custom' },
    [of],
  )
  if (from > 0 && one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (from > 0 && !of) return <Skeleton rows={8} />
  return (
    <FormPage
      of={addFormula.input}
      title="新增公式"
      groups={groups}
      initial={initial}
      draft={from ? undefined : 'fee-formula/new'}
      words="新增公式"
      rules={rules}
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增公式「${(a as FeeFormula).name}」`)
        tab.close()
      }}
    />
  )
}

export function EditFormulaPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneFormula, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editFormula, { quiet: true })
  const tab = useTab()
  const f = one.data
  useTabName(f && `编辑 ${f.name}`)
  const asked = useMemo(
    () =>
      f?.standards
        ? groups.map(g => ({
            ...g,
            keys: g.keys.map(k =>
              typeof k !== 'string' && (k.key === 'expression' || k.key === 'parameters')
                ? { ...k, off: () => `已用于 ${f.standards} 个收费标准，不能再改；请复制为新公式` }
                : k,
            ),
          }))
        : groups,
    [f?.standards],
  )
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的公式编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!f) return <Skeleton rows={8} />
  if (f.isSystem)
    return (
      <State
        words={`「${f.name}」是内置公式，不能修改`}
        more="要换算法请新增一个公式"
        deeds={[
          may(menu.formula.may.add) && {
            label: '新增公式',
            run: () => {
              tab.close()
              go(places.addFormula)
            },
          },
        ]}
      />
    )
  return (
    <FormPage
      key={f.id}
      of={editFormula.input}
      title={`编辑公式「${f.name}」`}
      groups={asked}
      initial={f}
      draft={`fee-formula/${f.id}`}
      rules={rules}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneFormula, { id })) })}
      onDone={a => {
        toast.success(`已保存公式「${(a as FeeFormula).name}」`)
        tab.close()
      }}
    />
  )
}
