import { SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { PopoverPanel } from '../dropdown.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { ChosenColumn, ColumnPreferences } from './column-preferences.ts'

export interface ColumnSettingsProps {
  readonly all: readonly ChosenColumn[]
  readonly preferences: ColumnPreferences
  readonly onChange: (preferences: ColumnPreferences) => void
  readonly hiddenKeys: readonly string[]
  readonly summed: boolean
}

const ColumnSettingsPanel = lazyComponent(
  async () => (await import('./column-settings-panel.tsx')).ColumnSettingsPanel,
  <div className="column-settings" />,
)

/** 列设置: which columns one person sees, in which order, which are pinned, and whether totals are shown. */
export function ColumnSettings(props: ColumnSettingsProps) {
  const [open, setOpen] = useState(false)
  return (
    <PopoverPanel open={open} onOpenChange={setOpen} content={<ColumnSettingsPanel {...props} />}>
      <Button
        type="text"
        className={open ? 'on' : ''}
        icon={<SettingOutlined />}
        aria-label="列设置"
        title="列设置"
        onPointerEnter={ColumnSettingsPanel.warm}
        onFocus={ColumnSettingsPanel.warm}
      />
    </PopoverPanel>
  )
}
