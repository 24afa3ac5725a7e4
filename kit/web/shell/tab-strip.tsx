import { copyText } from '../copy-text.ts'
import { defined } from '#kit/domain/defined.ts'
import type { MenuProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { confirmWithAlternative } from '../confirm.tsx'
import { DropdownMenu, ContextMenu } from '../dropdown.tsx'
import { dropDrafts, hasDrafts } from '../form/drafts.ts'
import { Icon } from '../icons.tsx'
import { openPages, usePages } from './open-pages.ts'
import { homeKey, otherTabKeys, tabKeysToRight, type Tab } from './tabs.ts'

/** Closes pages; asks first about those with unsaved changes. */
export async function closePages(keys: readonly string[]): Promise<void> {
  const dirty = openPages.state().tabs.filter(t => keys.includes(t.key) && t.dirty)
  const canKeepDrafts = dirty.length > 0 && dirty.every(t => hasDrafts(t.key))
  const answer =
    dirty.length === 0
      ? 'also'
      : await confirmWithAlternative(
          // Fetched when it is asked: the shell is what everybody waits for.
          (await import('./unsaved-warnings.ts')).closeWarning(dirty, canKeepDrafts),
        )
  if (!answer) return
  if (answer === 'ok') {
    for (const t of dirty) {
      dropDrafts(t.key)
    }
  }
  openPages.close(keys)
}

const copyLink = (path: string): Promise<void> => {
  const link = location.origin + path
  return copyText(link, { done: '链接已复制', refused: `浏览器不允许复制，请手动复制：${link}` })
}

/** The open pages, one per screen or record. */
export function TabStrip() {
  const { tabs, active } = usePages(s => s)
  const navigate = useNavigate()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active, tabs.length])
  const step = (e: React.KeyboardEvent, i: number): void => {
    const to = e.key === 'ArrowRight' ? tabs[i + 1] : e.key === 'ArrowLeft' ? tabs[i - 1] : undefined
    if (to) {
      e.preventDefault()
      void navigate(to.path)
      row.current?.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(to)]?.focus()
    }
    if (e.key === 'Delete' && defined(tabs[i]).key !== homeKey) {
      void closePages([defined(tabs[i]).key])
    }
  }
  return (
    <div className="tabs">
      <div className="tabs-row" role="tablist" aria-label="打开的页面" ref={row}>
        {tabs.map((tab, i) => (
          <ContextMenu key={tab.key} menu={() => buildTabMenu(tab)}>
            <div className="tab" role="presentation" data-active={tab.key === active || undefined}>
              <button
                type="button"
                role="tab"
                id={`tab${tab.key}`}
                aria-selected={tab.key === active}
                aria-controls={`page${tab.key}`}
                aria-keyshortcuts="Delete"
                tabIndex={tab.key === active ? 0 : -1}
                title={tab.title}
                onClick={() => void navigate(tab.path)}
                onAuxClick={e => {
                  if (e.button === 1 && tab.key !== homeKey) {
                    void closePages([tab.key])
                  }
                }}
                onKeyDown={e => step(e, i)}
              >
                {tab.pinned && <Icon name="pin" size={13} />}
                <span className="ellipsis">{tab.title}</span>
                {tab.dirty && <span className="aloud">，有未保存的修改</span>}
              </button>
              {!tab.pinned && (
                <button
                  type="button"
                  className="tab-close"
                  data-dirty={tab.dirty || undefined}
                  tabIndex={-1}
                  aria-hidden="true"
                  title={`关闭${tab.title}`}
                  onClick={() => void closePages([tab.key])}
                >
                  <i />
                  <Icon name="close" size={13} />
                </button>
              )}
            </div>
          </ContextMenu>
        ))}
      </div>
      <DropdownMenu
        placement="bottomRight"
        menu={() => buildAllTabsMenu(tabs, active, path => void navigate(path))}
      >
        <button type="button" className="plain tabs-more" aria-label="全部打开的页面">
          <Icon name="more" />
        </button>
      </DropdownMenu>
    </div>
  )
}

function buildTabMenu(tab: Tab): MenuProps {
  const state = openPages.state()
  const isHome = tab.key === homeKey
  return {
    items: [
      { key: 'close', label: '关闭', disabled: isHome },
      { key: 'others', label: '关闭其他', disabled: !otherTabKeys(state, tab.key).length },
      { key: 'right', label: '关闭右侧', disabled: !tabKeysToRight(state, tab.key).length },
      { type: 'divider' },
      { key: 'pin', label: tab.pinned ? '取消固定' : '固定', disabled: isHome },
      { key: 'copy', label: '复制链接' },
    ],
    onClick: ({ key, domEvent }) => {
      domEvent.stopPropagation()
      if (key === 'close') {
        void closePages([tab.key])
      }
      if (key === 'others') {
        void closePages(otherTabKeys(state, tab.key))
      }
      if (key === 'right') {
        void closePages(tabKeysToRight(state, tab.key))
      }
      if (key === 'pin') {
        openPages.pin(tab.key, !tab.pinned)
      }
      if (key === 'copy') {
        void copyLink(tab.path)
      }
    },
  }
}

const buildAllTabsMenu = (
  tabs: readonly Tab[],
  active: string,
  navigate: (path: string) => void,
): MenuProps => ({
  selectedKeys: [active],
  items: [
    ...tabs.map(t => ({ key: t.key, label: t.dirty ? `${t.title}（未保存）` : t.title })),
    { type: 'divider' },
    { key: '*', label: '关闭全部', disabled: tabs.every(t => t.pinned) },
  ],
  onClick: ({ key }) => {
    if (key === '*') {
      void closePages(tabs.filter(t => !t.pinned).map(t => t.key))
    } else {
      navigate(defined(tabs.find(t => t.key === key)).path)
    }
  },
})
