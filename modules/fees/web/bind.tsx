import { parseId } from '#kit/domain/id.ts'
import { keysOfRecord, omitKeys } from '#kit/domain/records.ts'
import { Button, Radio } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { choice, choiceTable } from '#kit/contract/field.ts'
import { extendShape } from '#kit/contract/shape.ts'
import type { Control, ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  batchBind,
  batchBindByFilter,
  previewBind,
  bindFilters,
  type BindResult,
} from '../contract/binding-calls.ts'
import { sourceType } from '../contract/choices.ts'
import { bindableTypes } from './bindable-types.ts'
import { paths } from './paths.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { createMultiRefControl, createRefControl } from './ref-controls.tsx'

const ObjectsControl = lazyComponent<ControlProps>(
  () => import('./objects-control.tsx').then(m => m.ObjectsControl),
  <div style={{ height: 26 }} />,
) as Control

const BindResultSummary = lazyComponent(() => import('./bind-preview.tsx').then(m => m.BindResultSummary))
const BindPreview = lazyComponent(() => import('./bind-preview.tsx').then(m => m.BindPreview))
const selectionMode = choiceTable('BindWay', '选择方式', { filter: [1, '按条件'], pick: [2, '逐个选择'] })
const bindTarget = choiceTable('BindWhat', '绑定', { standards: [1, '收费标准'], package: [2, '套餐'] })

const formInput = extendShape(previewBind.input, {
  selectionMode: choice('选择方式', selectionMode, { required: true, initial: 'filter' }),
  what: choice('绑定', bindTarget, { required: true, initial: 'standards' }),
})

type BindDraft = NonNullable<typeof formInput.T>

const TypeControl: Control = props => (
  <Radio.Group
    id={props.id}
    value={props.value}
    disabled={props.disabled}
    options={bindableTypes.map(value => ({ value, label: sourceType.rows[value][1] }))}
    onChange={e => props.onChange(e.target.value)}
    aria-label={props.field.label}
  />
)

const isPicked = (v: Partial<BindDraft>): boolean => v.selectionMode === 'pick'

const hideUnlessFilterFor =
  (...types: string[]) =>
  (v: Partial<BindDraft>): boolean =>
    isPicked(v) || !types.includes(v.sourceType ?? '')

const clearedFilters = Object.fromEntries(
  [...Object.keys(bindFilters), 'sourceCodes'].map(k => [k, undefined]),
)

const formGroups: readonly FormFieldGroup[] = [
  {
    title: '1 选择对象',
    keys: [
      { key: 'sourceType', control: TypeControl, deriveValues: () => clearedFilters },
      { key: 'selectionMode', wide: true },
      {
        key: 'sourceCodes',
        control: ObjectsControl,
        isHidden: v => !isPicked(v),
        help: '一次最多 2000 个，更多请按条件选',
      },
      {
        key: 'buildCodes',
        control: createMultiRefControl('building', 'key'),
        isHidden: hideUnlessFilterFor('room', 'publicArea'),
      },
      { key: 'unitNames', isHidden: hideUnlessFilterFor('room') },
      { key: 'roomTypes', isHidden: hideUnlessFilterFor('room') },
      { key: 'roomStates', isHidden: hideUnlessFilterFor('room') },
      { key: 'floorFrom', isHidden: hideUnlessFilterFor('room') },
      { key: 'floorTo', isHidden: hideUnlessFilterFor('room') },
      { key: 'areaFrom', isHidden: hideUnlessFilterFor('room', 'parkPlace', 'publicArea') },
      { key: 'areaTo', isHidden: hideUnlessFilterFor('room', 'parkPlace', 'publicArea') },
      { key: 'deliveredFrom', isHidden: hideUnlessFilterFor('room') },
      { key: 'deliveredTo', isHidden: hideUnlessFilterFor('room') },
      { key: 'parkIds', control: createMultiRefControl('park'), isHidden: hideUnlessFilterFor('parkPlace') },
      { key: 'placeAreas', isHidden: hideUnlessFilterFor('parkPlace') },
      { key: 'placeStates', isHidden: hideUnlessFilterFor('parkPlace') },
      { key: 'placeTypes', isHidden: hideUnlessFilterFor('parkPlace') },
      { key: 'areaTypes', isHidden: hideUnlessFilterFor('publicArea') },
      { key: 'rentStates', wide: true, isHidden: hideUnlessFilterFor('publicArea') },
      {
        key: 'except',
        control: ObjectsControl,
        isHidden: isPicked,
        help: '符合条件但本次不绑定的对象',
      },
    ],
  },
  {
    title: '2 选择收费标准',
    keys: [
      { key: 'what', wide: true },
      {
        key: 'standardIds',
        control: createMultiRefControl('feeStandard'),
        isHidden: v => v.what === 'package',
        help: '可多选；同一收费项目只能选一个标准',
      },
      {
        key: 'packageId',
        control: createRefControl('feePackage'),
        isHidden: v => v.what !== 'package',
      },
      { key: 'mode', wide: true },
    ],
  },
  {
    title: '3 起止与覆盖',
    keys: [
      'beginDate',
      'endDate',
      { key: 'priceOverride', help: '不填按标准的单价' },
      { key: 'ratioOverride', help: '不填按标准' },
      { key: 'quantity', help: '按数量计费时填写' },
      'remark',
    ],
  },
]

const bindFilterKeys = keysOfRecord(bindFilters)

/** What is bound: the chosen standards, or the chosen package. */
const toBindTarget = ({ what, standardIds, packageId }: Partial<BindDraft>) =>
  what === 'package' ? { packageId } : { standardIds }

/** The request for picked objects: none of the filters. */
const toPickedInput = <D extends Partial<BindDraft>>(v: D) => ({
  ...omitKeys(v, [...bindFilterKeys, 'selectionMode', 'what', 'standardIds', 'packageId']),
  ...toBindTarget(v),
  sourceCodes: v.sourceCodes ?? [],
})

/** The request by filter. */
const toFilterInput = <D extends Partial<BindDraft>>(v: D) => ({
  ...omitKeys(v, ['selectionMode', 'what', 'standardIds', 'packageId', 'sourceCodes']),
  ...toBindTarget(v),
})

const notReadyReason = (values: Partial<BindDraft>): string | undefined => {
  if (!values.projectCode) return '请先选择项目'
  if (isPicked(values) && !values.sourceCodes?.length) return '选择对象后，此处列出将绑定和跳过的'
  if (values.what === 'package') {
    if (values.packageId) return undefined
    return '选择套餐后，此处列出将绑定和跳过的'
  }
  if (values.standardIds?.length) return undefined
  return '选择收费标准后，此处列出将绑定和跳过的'
}

/** What is bound is billed next. */
function GenerateButton() {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const needs = useHost().screens.find(paths.generate)?.needs
  return (
    needs &&
    hasPermission(needs) && <Button onClick={() => void navigate(paths.generate)}>预览并生成账单</Button>
  )
}

/**
 * 批量绑定: objects, standards, dates; what will be bound and skipped is beside it before anything is
 * written.
 */
export default function BindPage() {
  const [at] = useSearchParams()
  const project = useProject()
  const tab = useTab()
  const navigate = useNavigate()
  const bindPicked = useSend(batchBind, { quiet: true })
  const bindByFilter = useSend(batchBindByFilter, { quiet: true })
  const [result, setResult] = useState<BindResult>()
  const standard = at.get('standard')
  const pack = parseId(at.get('package')) || undefined
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
  if (result) {
    return (
      <div className="form-page">
        <header>
          <h2>批量绑定的结果</h2>
        </header>
        <div className="scroll">
          <section className="bind-preview" style={{ maxWidth: 960 }}>
            <BindResultSummary of={result} done />
          </section>
        </div>
        <footer>
          <div className="form-foot">
            <Button
              type="primary"
              onClick={() => {
                tab.close()
                void navigate(paths.relations)
              }}
            >
              查看收费关联
            </Button>
            <GenerateButton />
            <Button onClick={() => setResult(undefined)}>继续绑定</Button>
          </div>
        </footer>
      </div>
    )
  }
  const save = (v: BindDraft): Promise<BindResult> =>
    isPicked(v) ? bindPicked.mutateAsync(toPickedInput(v)) : bindByFilter.mutateAsync(toFilterInput(v))
  return (
    <FormPage
      key={project}
      shape={formInput}
      draftKey={`fee-binding/${project ?? 'all'}`}
      title="批量绑定"
      groups={formGroups}
      initial={initial}
      submitLabel="开始绑定"
      save={save}
      rules={values => ({
        ...(isPicked(values) && !values.sourceCodes?.length ? { sourceCodes: '请选择收费对象' } : {}),
        ...(values.what === 'package'
          ? values.packageId
            ? {}
            : { packageId: '请选择套餐' }
          : values.standardIds?.length
            ? {}
            : { standardIds: '请选择收费标准' }),
        ...(values.beginDate && values.endDate && values.endDate < values.beginDate
          ? { endDate: '止收日期不能早于起收日期' }
          : {}),
      })}
      aside={value => {
        const values = { ...initial, ...value }
        const notReady = notReadyReason(values)
        return (
          <BindPreview
            input={isPicked(values) ? toPickedInput(values) : toFilterInput(values)}
            ready={notReady === undefined}
            missingText={notReady ?? ''}
          />
        )
      }}
      onDone={bound => {
        const showToast = bound.success ? toast.success : toast.warning
        showToast(`已绑定 ${bound.success} 个，跳过 ${bound.skipped} 个`)
        setResult(bound)
      }}
    />
  )
}
