import { Button, Radio } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { choice, choiceTable } from '#kit/contract/field.ts'
import { also } from '#kit/contract/shape.ts'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { batchBind, batchBindPro, previewBind, reach, type BindAnswer } from '../contract/bind.ts'
import { sourceType } from '../contract/choices.ts'
import type { ControlProps } from '#kit/web/controls/kinds.tsx'
import { bindable } from './bindable.ts'
import { places } from './places.ts'
import { later } from '#kit/web/later.tsx'
import { manyOf, oneOfThese } from './price.tsx'

const ObjectsControl = later<ControlProps>(() =>
  import('./objects-control.tsx').then(m => m.ObjectsControl),
) as Control

const BindFigures = later(() => import('./bind-preview.tsx').then(m => m.BindFigures))
const BindPreview = later(() => import('./bind-preview.tsx').then(m => m.BindPreview))
const way = choiceTable('BindWay', '怎么选', { filter: [1, '按条件'], pick: [2, '逐个选择'] })
const kind = choiceTable('BindWhat', '绑定', { standards: [1, '收费标准'], package: [2, '套餐'] })

const input = also(previewBind.input, {
  way: choice('怎么选', way, { required: true, initial: 'filter' }),
  what: choice('绑定', kind, { required: true, initial: 'standards' }),
})

type Draft = NonNullable<typeof input.T>

const TypeControl: Control = p => (
  <Radio.Group
    id={p.id}
    value={p.value}
    disabled={p.disabled}
    options={bindable.map(value => ({ value, label: sourceType.rows[value][1] }))}
    onChange={e => p.onChange(e.target.value)}
    aria-label={p.field.label}
  />
)

const picked = (v: Partial<Draft>): boolean => v.way === 'pick'

const unless =
  (...types: string[]) =>
  (v: Partial<Draft>): boolean =>
    picked(v) || !types.includes(v.sourceType ?? '')

const cleared = Object.fromEntries([...Object.keys(reach), 'sourceCodes'].map(k => [k, undefined]))

const groups: readonly AskGroup[] = [
  {
    title: '1 选择对象',
    keys: [
      { key: 'sourceType', control: TypeControl, wide: true, then: () => cleared },
      { key: 'way', wide: true },
      {
        key: 'sourceCodes',
        control: ObjectsControl,
        wide: true,
        hidden: v => !picked(v),
        help: '一次最多 2000 个，更多请按条件选',
      },
      { key: 'buildCodes', control: manyOf('building', 'key'), hidden: unless('room', 'publicArea') },
      { key: 'unitNames', hidden: unless('room') },
      { key: 'roomTypes', wide: true, hidden: unless('room') },
      { key: 'roomStates', wide: true, hidden: unless('room') },
      { key: 'floorFrom', hidden: unless('room') },
      { key: 'floorTo', hidden: unless('room') },
      { key: 'areaFrom', hidden: unless('room', 'parkPlace', 'publicArea') },
      { key: 'areaTo', hidden: unless('room', 'parkPlace', 'publicArea') },
      { key: 'deliveredFrom', hidden: unless('room') },
      { key: 'deliveredTo', hidden: unless('room') },
      { key: 'parkIds', control: manyOf('park'), hidden: unless('parkPlace') },
      { key: 'placeAreas', hidden: unless('parkPlace') },
      { key: 'placeStates', wide: true, hidden: unless('parkPlace') },
      { key: 'placeTypes', wide: true, hidden: unless('parkPlace') },
      { key: 'areaTypes', wide: true, hidden: unless('publicArea') },
      { key: 'rentStates', wide: true, hidden: unless('publicArea') },
      { key: 'except', control: ObjectsControl, wide: true, hidden: picked, help: '符合条件但这次不绑定的' },
    ],
  },
  {
    title: '2 选择收费标准',
    keys: [
      { key: 'what', wide: true },
      {
        key: 'standardIds',
        control: manyOf('feeStandard'),
        wide: true,
        hidden: v => v.what === 'package',
        help: '可以选几个；同一收费项目只能选一个标准',
      },
      { key: 'packageId', control: oneOfThese('feePackage'), wide: true, hidden: v => v.what !== 'package' },
      { key: 'mode', wide: true },
    ],
  },
  {
    title: '3 起止与覆盖',
    keys: [
      'beginDate',
      'endDate',
      { key: 'priceOverride', help: '留空按标准的单价' },
      { key: 'ratioOverride', help: '留空按标准' },
      { key: 'quantity', help: '按数量计费时填写' },
      'remark',
    ],
  },
]

/** What is asked of the server: of the two ways and the two kinds only what is chosen. */
const asked = ({ way: w, what: k, sourceCodes, standardIds, packageId, ...v }: Partial<Draft>) => ({
  ...v,
  ...(k === 'package' ? { packageId } : { standardIds }),
  ...(w === 'pick'
    ? { ...Object.fromEntries(Object.keys(reach).map(x => [x, undefined])), sourceCodes: sourceCodes ?? [] }
    : {}),
})

const ready = (v: Partial<Draft>): string | undefined =>
  !v.projectCode
    ? '请先在上方选择一个项目'
    : picked(v) && !v.sourceCodes?.length
      ? '选好对象后，这里列出将绑定和跳过的'
      : v.what === 'package'
        ? v.packageId
          ? undefined
          : '选好套餐后，这里列出将绑定和跳过的'
        : v.standardIds?.length
          ? undefined
          : '选好收费标准后，这里列出将绑定和跳过的'

/**
 * 批量绑定: objects, standards, dates; what will be bound and skipped stands beside it before anything is
 * written.
 */
export default function BindPage() {
  const [at] = useSearchParams()
  const project = useProject()
  const tab = useTab()
  const navigate = useNavigate()
  const one = useSend(batchBind, { quiet: true })
  const pro = useSend(batchBindPro, { quiet: true })
  const [done, setDone] = useState<BindAnswer>()
  const standard = at.get('standard')
  const pack = Number(at.get('package')) || undefined
  const initial = useMemo(
    () => ({
      projectCode: project,
      sourceType: 'room' as const,
      beginDate: firstOfMonth(today()),
      ...(standard ? { standardIds: [standard] } : {}),
      ...(pack ? { what: 'package' as const, packageId: pack } : {}),
    }),
    [project, standard, pack],
  )
  if (done) {
    return (
      <div className="form-page">
        <header>
          <h2>批量绑定的结果</h2>
        </header>
        <div className="scroll">
          <section className="bind-preview" style={{ maxWidth: 960 }}>
            <BindFigures of={done} done />
          </section>
        </div>
        <footer>
          <div className="form-foot">
            <Button
              type="primary"
              onClick={() => {
                tab.close()
                void navigate(places.relations)
              }}
            >
              查看收费关联
            </Button>
            <Button onClick={() => setDone(undefined)}>继续绑定</Button>
          </div>
        </footer>
      </div>
    )
  }
  const save = (v: Draft): Promise<BindAnswer> => {
    const ask = asked(v)
    return picked(v) ? one.mutateAsync(ask as never) : pro.mutateAsync(ask as never)
  }
  return (
    <FormPage
      key={project}
      of={input}
      title="批量绑定"
      groups={groups}
      initial={initial as never}
      words="开始绑定"
      save={save}
      rules={v => ({
        ...(picked(v) && !v.sourceCodes?.length ? { sourceCodes: '请选择收费对象' } : {}),
        ...(v.what === 'package'
          ? v.packageId
            ? {}
            : { packageId: '请选择套餐' }
          : v.standardIds?.length
            ? {}
            : { standardIds: '请选择收费标准' }),
        ...(v.beginDate && v.endDate && v.endDate < v.beginDate
          ? { endDate: '止收日期不能早于起收日期' }
          : {}),
      })}
      aside={v => {
        const all = { ...initial, ...v }
        const why = ready(all)
        return <BindPreview ask={asked(all)} ready={why === undefined} wanted={why ?? ''} />
      }}
      onDone={a => {
        const said = a as BindAnswer
        ;(said.success ? toast.success : toast.warning)(`已绑定 ${said.success} 个，跳过 ${said.skipped} 个`)
        setDone(said)
      }}
    />
  )
}
