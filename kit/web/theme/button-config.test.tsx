import { Button, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DownloadOutlined } from '@ant-design/icons'
import AntdIcon from '../antd-icon.tsx'
import { buttonConfig } from './button-config.tsx'

/** What is read aloud: no markup, nothing hidden from it, the names of pictures. */
const said = (drawn: ReactNode): string =>
  renderToStaticMarkup(drawn)
    .replace(/<(\w+)[^>]*aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replace(/<[^>]*aria-label="([^"]*)"[^>]*>/g, '$1')
    .replace(/<[^>]*>/g, '')

it('a button that waits keeps its name: the mark that it waits says nothing', () => {
  expect(said(<Button loading>绑定微信</Button>)).toBe('loading绑定微信')
  const ours = (icon?: ReactNode): ReactNode => (
    <ConfigProvider button={buttonConfig}>
      <Button loading icon={icon}>
        绑定微信
      </Button>
    </ConfigProvider>
  )
  expect([said(ours()), said(ours(<b />))]).toEqual(['绑定微信', '绑定微信'])
  expect(renderToStaticMarkup(ours())).toContain('class="turning"')
})

it('a drawing says nothing of its own, unless it was given a name; the library calls it in English', () => {
  expect(said(<DownloadOutlined />)).toBe('download')
  const download = { name: 'download', theme: 'outlined', icon: { tag: 'svg', attrs: {} } } as const
  expect([said(<AntdIcon icon={download} />), said(<AntdIcon icon={download} aria-label="下载" />)]).toEqual([
    '',
    '下载',
  ])
})
