import { Button, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DownloadOutlined } from '@ant-design/icons'
import AntdIcon from '../antd-icon.tsx'
import { buttonConfig } from './button-config.tsx'

/** What is read aloud: no markup, nothing hidden from it, the names of pictures. */
const spokenText = (drawn: ReactNode): string =>
  renderToStaticMarkup(drawn)
    .replace(/<(\w+)[^>]*aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replace(/<[^>]*aria-label="([^"]*)"[^>]*>/g, '$1')
    .replace(/<[^>]*>/g, '')

it('a loading button keeps its accessible name', () => {
  expect(spokenText(<Button loading>绑定微信</Button>)).toBe('loading绑定微信')
  const withConfig = (icon?: ReactNode): ReactNode => (
    <ConfigProvider button={buttonConfig}>
      <Button loading icon={icon}>
        绑定微信
      </Button>
    </ConfigProvider>
  )
  expect([spokenText(withConfig()), spokenText(withConfig(<b />))]).toEqual(['绑定微信', '绑定微信'])
  expect(renderToStaticMarkup(withConfig())).toContain('class="turning"')
})

it('an icon has no accessible name of its own unless given one; the library names it in English', () => {
  expect(spokenText(<DownloadOutlined />)).toBe('download')
  const download = { name: 'download', theme: 'outlined', icon: { tag: 'svg', attrs: {} } } as const
  expect([
    spokenText(<AntdIcon icon={download} />),
    spokenText(<AntdIcon icon={download} aria-label="下载" />),
  ]).toEqual(['', '下载'])
})
