declare module 'virtual:plates' {
  export const plates: readonly import('./slim.ts').Slim[]
}
