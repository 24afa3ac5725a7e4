import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { refuse } from '#kit/contract/wire.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listRelations, listRelationsOfSource } from '../contract/relation-calls.ts'
import { batchBind, type BindResult } from '../contract/binding-calls.ts'
import { relationState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { BindPreview } from './bind-preview.tsx'
import { ObjectsControl, type SourceType } from './objects-control.tsx'
import { paths } from './paths.ts'
import { createMultiRefControl, createRefControl } from './ref-controls.tsx'

const formGroups: readonly FormFieldGroup[] = [
  { title: '收费对象', keys: [{ key: 'sourceCodes', control: ObjectsControl }] },
  {
    title: '绑定收费标准',
    keys: [
      {
        key: 'standardIds',
        control: createMultiRefControl('feeStandard'),
        help: '可多选；同一收费项目只能选一个标准',
      },
      { key: 'packageId', control: createRefControl('feePackage'), help: '也可选择套餐' },
      { key: 'mode', wide: true },
      'beginDate',
      'endDate',
      { key: 'priceOverride', help: '不填按标准的单价' },
      { key: 'ratioOverride', help: '不填按标准' },
      { key: 'quantity', help: '按数量计费时填写' },
      'remark',
    ],
  },
]

/** What one object has by now. */
function BoundStandards({
  project,
  type,
  code,
}: {
  readonly project: string
  readonly type: SourceType
  readonly code: string
}) {
  const all = useCall(
    listRelationsOfSource,
    { projectCode: project, sourceType: type, sourceCode: code },
    { quiet: true, keepPrevious: true },
  )
  const renderRelations = () => {
    if (all.isError)
      return (
        <p className="bad" role="alert">
          {all.error.message}
        </p>
      )
    if (!all.data) return <p>正在加载</p>
    if (!all.data.length) return <p>暂无绑定</p>
    return (
      <div className="bind-rows">
        <table>
          <thead>
            <tr>
              <th>收费标准</th>
              <th className="figure">单价</th>
              <th>起止</th>
              <th>计费截至</th>
              <th>状态</th>
            </tr>
          </thead>
          <tbody>
            {all.data.map(row => (
              <tr key={row.id}>
                <td className="words">
                  {row.standardName}
                  <br />
                  <small>{row.feeItemName}</small>
                </td>
                <td className="days figure">{row.price ?? '--'}</td>
                <td className="days">
                  {row.beginDate ?? '一直'}
                  <br />
                  {row.endDate ? `至 ${row.endDate}` : '至今'}
                </td>
                <td className="days">{row.billedTo ?? '--'}</td>
                <td>
                  <ChoiceStatus choices={relationState} value={row.state} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }
  return (
    <section className="bind-preview" aria-label="现有的收费标准">
      <h3>现有的收费标准</h3>
      {renderRelations()}
      <Link to={listLink(paths.relations, listRelations, { sourceCode: code })}>
        停收、结束或删除，到收费关联中办理
      </Link>
    </section>
  )
}

/** When nothing was bound, the choices stay so that they can be corrected. */
const requireBound = (result: BindResult): BindResult => {
  if (result.success) return result
  const reasons = result.reasons.map(r =>
    result.objects > 1 ? `${r.reason} ${r.count} 个` : (result.rows[0]?.reason ?? r.reason),
  )
  return refuse(`未绑定：${reasons.join('；') || '无符合条件的对象'}`)
}

/**
 * The standards of one or some objects, reached from their own lists and pages: what they have, and what is
 * to be bound.
 */
function ObjectStandards({ type, what }: { readonly type: SourceType; readonly what: string }) {
  const [at] = useSearchParams()
  const chosen = useProject()
  const hasPermission = usePermission()
  const project = at.get('project') ?? chosen
  const codes = at.get('codes') ?? ''
  const save = useSend(batchBind, { quiet: true })
  const initial = useMemo(
    () => ({
      projectCode: project,
      sourceType: type,
      sourceCodes: codes.split(',').filter(Boolean),
      beginDate: firstOfMonth(today()),
    }),
    [project, type, codes],
  )
  // Without a project here or in the header bar the form asks for one.
  const objects = { ...(project ? { projectCode: project } : {}), sourceType: type }
  return (
    <FormPage
      key={`${project} ${codes}`}
      shape={batchBind.input}
      draftKey={draftKeyOf(batchBind, [project, type, codes])}
      title={`${what}收费标准`}
      groups={formGroups}
      initial={initial}
      submitLabel="绑定"
      save={v => save.mutateAsync({ ...v, ...objects }).then(requireBound)}
      rules={values => ({
        ...(values.standardIds?.length || values.packageId ? {} : { standardIds: '请选择收费标准或套餐' }),
        ...(values.beginDate && values.endDate && values.endDate < values.beginDate
          ? { endDate: '止收日期不能早于起收日期' }
          : {}),
      })}
      aside={values => (
        <>
          {values.sourceCodes?.length === 1 && project && hasPermission(menu.relation.permissions.view) && (
            <BoundStandards project={project} type={type} code={defined(values.sourceCodes[0])} />
          )}
          <BindPreview
            input={{ ...values, ...objects }}
            ready={
              Boolean(project) &&
              Boolean(values.sourceCodes?.length) &&
              Boolean(values.standardIds?.length || values.packageId)
            }
            missingText={project ? `选择${what}和收费标准后，此处列出将绑定和跳过的` : '请先选择项目'}
          />
        </>
      )}
      onDone={result => {
        toast.success(`已绑定 ${result.success} 个${result.skipped ? `，跳过 ${result.skipped} 个` : ''}`)
      }}
    />
  )
}

export const RoomStandardsPage = () => <ObjectStandards type="room" what="房间" />
export const ShopStandardsPage = () => <ObjectStandards type="room" what="商铺" />
export const PlaceStandardsPage = () => <ObjectStandards type="parkPlace" what="车位" />
export const AreaStandardsPage = () => <ObjectStandards type="publicArea" what="公共区域" />
