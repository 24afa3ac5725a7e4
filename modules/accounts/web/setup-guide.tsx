import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { labelOf } from '#kit/contract/field.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { Status } from '#kit/web/status.tsx'
import { getSetupGuide, guideStep } from '../contract/setup-guide.ts'
import './accounts.css'

type Step = ChoiceOf<typeof guideStep>

const steps: Record<
  Step,
  { readonly path: string; readonly why: string; readonly unit: string; readonly of?: number }
> = {
  company: {
    path: '/setting/baseSetting/companydetail',
    why: '联系人、联系电话和地址，会印在收据和信函上',
    unit: '项',
    of: 3,
  },
  estate: { path: '/service/data/statelist', why: '公司管理的小区、写字楼或商场', unit: '个' },
  building: { path: '/service/data/buildlist', why: '项目里的楼栋和单元', unit: '栋' },
  room: { path: '/service/data/roommange', why: '逐间新增、批量生成，或从表格导入', unit: '间' },
  role: { path: '/setting/permission/rolelist', why: '按岗位授权，例如收费员、客服', unit: '个' },
  manager: { path: '/setting/permission/managerlist', why: '给同事开通账号，分配角色和数据范围', unit: '位' },
}

/** What a new company still has to set up, measured at every look, with the way there. */
export default function SetupGuide() {
  const query = useCall(getSetupGuide, undefined, { quiet: true, project: 0 })
  const hasPermission = usePermission()
  const { screens } = useHost()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const rows = query.data
  const remaining = rows.filter(r => !r.done)
  return (
    <div className="sheet-page">
      <section>
        <h2>初始化向导</h2>
        <p className="lead" role="status">
          {remaining.length
            ? `已完成 ${rows.length - remaining.length} / ${rows.length} 步，接下来：${labelOf(guideStep, defined(remaining[0]).step)}`
            : `${rows.length} 步已全部完成`}
        </p>
        <ol className="guide">
          {rows.map(r => {
            const s = steps[r.step]
            const needs = screens.find(s.path)?.needs
            const open = !needs || hasPermission(needs)
            return (
              <li key={r.step}>
                <span className="what">{labelOf(guideStep, r.step)}</span>
                <span className="why">{open ? s.why : `需要「${needs.label}」权限，请联系管理员`}</span>
                <Status tone={r.done ? 'done' : 'todo'}>{r.done ? '已完成' : '未完成'}</Status>
                <span className="figure">
                  {r.count.toLocaleString()}
                  {s.of ? ` / ${s.of}` : ''} {s.unit}
                </span>
                <Button
                  type={r.step === remaining[0]?.step ? 'primary' : 'default'}
                  disabled={!open}
                  onClick={() => navigateTo(s.path)}
                >
                  {r.done ? '查看' : '去设置'}
                </Button>
              </li>
            )
          })}
        </ol>
      </section>
    </div>
  )
}
