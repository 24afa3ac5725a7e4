import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingGroups } from '#apps/server/setting-groups.ts'
import type { SettingGroup } from '#kit/server/setting.ts'
import { root } from './source-files.ts'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const renderGroup = ({ title, settings }: SettingGroup): string =>
  [
    `## ${title}`,
    '',
    row(['设置', '默认', '作用']),
    row(['---', '---', '---']),
    ...settings.map(({ name, fallback, about }) =>
      row([`\`${name}\``, fallback ? `\`${fallback}\`` : '不设', about]),
    ),
  ].join('\n')

/** docs/settings.md: every setting with its default, from the very table that the product reads. */
export const renderSettings = (groups: readonly SettingGroup[] = settingGroups): string => `# 设置

本页由 \`npm run map\` 生成，不要手改。设置是环境变量；空值等于不设。systemd 写在 \`/etc/anju.env\`，容器用 \`-e\`。写错的值在启动时说明并停止。

${groups.map(renderGroup).join('\n\n')}
`

export const writeSettingsPage = (): void => writeFileSync(join(root, 'docs/settings.md'), renderSettings())
