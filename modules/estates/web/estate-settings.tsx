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
          {settings.map(s => {
            const value = typed[s.key] ?? s.value ?? ''
            const changed = value !== (s.value ?? '')
            return (
              <li key={s.key}>
                <label htmlFor={`setting-${s.key}`}>{s.label}</label>
                <div>
                  <Input
                    id={`setting-${s.key}`}
                    value={value}
                    disabled={!hasPermission(menu.estate.permissions.set)}
                    {...(faults[s.key] ? { status: 'error' as const } : {})}
                    onChange={e => setTyped(t => ({ ...t, [s.key]: e.target.value }))}
                    onPressEnter={() => void save(s.key, value)}
                  />
                  {changed && (
                    <Button type="primary" onClick={() => void save(s.key, value)}>
                      保存
                    </Button>
                  )}
                </div>
                <p className={faults[s.key] ? 'bad' : ''}>{faults[s.key] || s.help}</p>
              </li>
            )
          })}
        </ul>
      )}
    </Loaded>
  )
}
