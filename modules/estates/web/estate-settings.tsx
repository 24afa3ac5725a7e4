import { Button, Input } from 'antd'
import { useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { useCall, useSend, invalidateCalls } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { listEstateSettings, updateEstateSetting } from '../contract/estate.ts'
import { menu } from '../module.ts'
import './settings.css'

/** The estate's own parameters: each is saved separately, its error is shown under its box. */
export function EstateSettings({ projectCode }: { readonly projectCode: string }) {
  const all = useCall(listEstateSettings, { projectCode }, { quiet: true })
  const put = useSend(updateEstateSetting, { quiet: true })
  const hasPermission = usePermission()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const save = async (key: string, value: string): Promise<void> => {
    try {
      await put.mutateAsync({ projectCode, key, value })
      setFaults(f => ({ ...f, [key]: '' }))
      await invalidateCalls(listEstateSettings)
      setTyped(({ [key]: _, ...rest }) => rest)
      toast.success('已保存')
    } catch (e) {
      setFaults(f => ({ ...f, [key]: e instanceof Refused ? e.message : '保存失败，请重试' }))
    }
  }
  return (
    <Loaded query={all} height={160} rows={3} width={[120, 200]}>
      {settings => (
        <ul className="estate-settings">
          {settings.map(setting => {
            const value = typed[setting.key] ?? setting.value ?? ''
            const changed = value !== (setting.value ?? '')
            return (
              <li key={setting.key}>
                <label htmlFor={`setting-${setting.key}`}>{setting.label}</label>
                <div>
                  <Input
                    id={`setting-${setting.key}`}
                    value={value}
                    disabled={!hasPermission(menu.estate.permissions.set)}
                    {...(faults[setting.key] ? { status: 'error' as const } : {})}
                    onChange={e => setTyped(t => ({ ...t, [setting.key]: e.target.value }))}
                    onPressEnter={() => void save(setting.key, value)}
                  />
                  {changed && (
                    <Button type="primary" onClick={() => void save(setting.key, value)}>
                      保存
                    </Button>
                  )}
                </div>
                <p className={faults[setting.key] ? 'bad' : ''}>{faults[setting.key] || setting.help}</p>
              </li>
            )
          })}
        </ul>
      )}
    </Loaded>
  )
}
