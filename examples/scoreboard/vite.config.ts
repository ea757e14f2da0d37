import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fingerprintOf } from '../../codegen/fingerprint.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const graph = process.env['STATLINE_URL'] ?? 'http://127.0.0.1:4000'

export default defineConfig({
  base: './',
  plugins: [
    react(),
    {
      name: 'fingerprint',
      generateBundle() {
        const source = `${fingerprintOf(at('../..'), 'scoreboard')}\n`
        this.emitFile({ type: 'asset', fileName: 'sources.sha256', source })
      },
    },
  ],
  resolve: {
    // Within this repository the hooks come from its sources, elsewhere from the package.
    alias: { 'statline/client': at('../../src/client/index.ts') },
    dedupe: ['react', 'graphql'],
  },
  build: {
    outDir: at('../../public/scoreboard'),
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: {
      output: {
        // Fixed names, so that a change shows as a change of a file.
        entryFileNames: 'scoreboard.js',
        assetFileNames: 'scoreboard[extname]',
      },
    },
  },
  server: { proxy: { '/graphql': graph } },
})
