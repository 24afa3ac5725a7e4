import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { invalidateCalls, useCall, useSend } from '#kit/web/query.ts'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { toast } from '#kit/web/toast.ts'
import { getSetting, saveSetting, type VisitorSetting } from '../contract/setting.ts'

const groups = defineFormGroups([
  {
    title: '门岗登记',
    keys: [
      'asksPhoto',
      'asksItems',
      'asksTemperature',
      {
        key: 'maxTemperature',
        isHidden: ({ asksTemperature }: Partial<VisitorSetting>) => !asksTemperature,
      },
      'printsSlip',
      'overtimeMinutes',
    ],
  },
  { title: '停车', keys: ['hostParkingLimit'] },
  { title: '数据', keys: ['keepDays'] },
  { title: '访客页面', keys: [{ key: 'notice', wide: true }] },
])

function SettingForm({ setting }: { readonly setting: VisitorSetting }) {
  const saving = useSend(saveSetting, { quiet: true })
  return (
    <FormPage
      shape={saveSetting.input}
      // One of several tabs: the page keeps the name of its screen.
      title={<>登记与保留</>}
      groups={groups}
      initial={setting}
      draftKey={undefined}
      submitLabel="保存设置"
      save={values => saving.mutateAsync(values)}
      onDone={() => {
        toast.success('已保存访客设置')
        void invalidateCalls(getSetting)
      }}
    />
  )
}

/** 登记与保留: what a guard asks, when somebody stays too long, how long data is kept. */
export function SettingOfProject() {
  const projectCode = useChosenProject()
  const setting = useCall(
    getSetting,
    { projectCode: projectCode ?? '' },
    { quiet: true, staleMs: 0, enabled: projectCode !== undefined },
  )
  if (projectCode === undefined) return <p className="visit-choose">请先在页面上方选择一个项目</p>
  return (
    <Loaded query={setting} height={480} rows={8}>
      {loaded => <SettingForm key={`${projectCode}/${loaded.version ?? 0}`} setting={loaded} />}
    </Loaded>
  )
}
