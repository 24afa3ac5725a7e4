import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { errorText } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { queryClient } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { chooseProject, session, usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import type { SetupGuide } from '../contract/guide.ts'
import { removeSample } from '../contract/sample.ts'
import { menu } from '../module.ts'

/** The header bar must not go on naming a project that is no more. */
const leaveProject = (code: string | undefined): void => {
  if (session.getState().project?.code === code) {
    chooseProject({ code: '', name: '' })
  }
}

/** Sample data to try everything with, and its removal in one action. */
export function SampleBand({
  guide,
  onChange,
}: {
  readonly guide: SetupGuide
  readonly onChange: () => void
}) {
  const [step, setStep] = useState('')
  const isAllowed = usePermission()(menu.guide.permissions.sample)
  const hasEstate = guide.projectCode !== undefined
  if (!isAllowed || (hasEstate && !guide.sampleCode)) return null
  const load = async (): Promise<void> => {
    try {
      // What it writes is of many modules, and wanted by the few who press the button.
      const { loadSample } = await import('./sample.ts')
      await loadSample(setStep)
      toast.success('示例数据已载入')
    } catch (error) {
      const { message, hint } = errorText(error)
      toast.error([message, hint].filter(Boolean).join('，'))
    } finally {
      setStep('')
      onChange()
    }
  }
  const remove = (): Promise<boolean> =>
    confirmDanger({
      title: '清除示例数据',
      actionLabel: '清除',
      okLabel: '清除示例数据',
      unit: '个示例项目',
      count: 1,
      consequences: [
        '删除示例项目及其楼栋、房间、住户、收费标准、账单和收款记录',
        '清除后不能恢复；其他项目不受影响',
      ],
      reason: false,
      run: async () => {
        const { rows } = await send(removeSample, undefined, { quiet: true, project: 0 })
        leaveProject(guide.sampleCode)
        void queryClient.invalidateQueries()
        toast.success(`示例数据已清除，共 ${formatCount(rows)} 条记录`)
        onChange()
      },
    })
  return (
    <div className="sample-band" role="status">
      {guide.sampleCode ? (
        <>
          <span>{step || '示例项目正在试用，正式使用前可一次清除'}</span>
          <Button danger size="small" loading={step !== ''} onClick={() => void remove()}>
            清除示例数据
          </Button>
        </>
      ) : (
        <>
          <span>{step || '可先载入示例项目试用：24 间房、8 位住户、当月账单，之后可一次清除'}</span>
          <Button size="small" loading={step !== ''} onClick={() => void load()}>
            载入示例数据
          </Button>
        </>
      )}
    </div>
  )
}
