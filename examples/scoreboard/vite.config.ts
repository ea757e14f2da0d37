import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { documentTexts, textsByHash } from '../../codegen/document-texts.ts'
import { fingerprintOf } from '../../codegen/fingerprint.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const graph = process.env['STATLINE_URL'] ?? 'http://127.0.0.1:4000'

export default defineConfig({
  plugins: [
    react(),
    {
      name: 'document texts',
      enforce: 'pre',
      transform: (code, id) => (id.endsWith('/generated/graphql.ts') ? documentTexts(code) : null),
    },
    {
      name: 'fingerprint',
      generateBundle() {
        const source = `${fingerprintOf(at('../..'), 'scoreboard')}\n`
        this.emitFile({ type: 'asset', fileName: 'sources.sha256', source })
        // With TRUSTED_DOCUMENTS_ONLY, the server answers these, too: by their names, and the texts that pages send.
        const generated = (name: string) => readFileSync(at(`../../src/client/generated/${name}`), 'utf8')
        const named: object = JSON.parse(generated('persisted-documents.json'))
        const documents = JSON.stringify({ ...named, ...textsByHash(generated('graphql.ts')) }, null, 2)
        this.emitFile({ type: 'asset', fileName: 'documents.json', source: documents })
        // The server finds each page's title there.
        const pages = readFileSync(at('src/routing/pages.json'), 'utf8')
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: pages })
      },
    },
  ],
  resolve: {
    // Within this repository the hooks come from its sources, elsewhere from the package.
    alias: [
      { find: /^statline-client$/, replacement: at('../../src/client/index.ts') },
      { find: /^statline-client\/react$/, replacement: at('../../src/client/react.ts') },
    ],
    dedupe: ['react'],
  },
  build: {
    outDir: at('../../public/scoreboard'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // What browsers understand that are at most two years old.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: { proxy: { '/graphql': graph } },
})
