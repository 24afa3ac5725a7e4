declare module 'virtual:manifests' {
  export const manifests: readonly import('./browser-manifest.ts').BrowserManifest[]
  export const dailyScreens: readonly import('#kit/web/shell/choose-quick-links.ts').DailyScreen[]
}

declare module 'virtual:sign-in-screens' {
  export const signInModule: string
  export const signInScreens: readonly import('#kit/contract/module.ts').Screen[]
}

declare module 'virtual:screen-keywords' {
  const keywords: import('#kit/web/command-palette.ts').ScreenKeywords
  export default keywords
}

declare module 'virtual:permission-labels' {
  const labels: Readonly<Record<string, string>>
  export default labels
}

declare module 'virtual:resident-screens' {
  export const residentScreens: readonly import('./browser-manifest.ts').ResidentScreen[]
}
