declare module 'virtual:manifests' {
  export const manifests: readonly import('./browser-manifest.ts').BrowserManifest[]
  export const dailyScreens: readonly import('#kit/web/shell/choose-quick-links.ts').DailyScreen[]
}
