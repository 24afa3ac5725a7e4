export interface Position {
  readonly longitude?: string
  readonly latitude?: string
}

/** The position as the phone knows it; nothing where it does not say. */
export const locate = (): Promise<Position> =>
  new Promise(resolve => {
    if (!('geolocation' in navigator)) return resolve({})
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ longitude: coords.longitude.toFixed(6), latitude: coords.latitude.toFixed(6) }),
      () => resolve({}),
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 },
    )
  })
